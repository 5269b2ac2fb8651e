internal import JSON

/// The iteration over the elements of an array or the values of an object, a step each.
enum Iteration {
  static func each(
    of value: JSONValue, isOptional: Bool = false, _ environment: Environment, _ sink: Sink
  ) throws(ExpressionError) -> Flow {
    switch value {
    case .array(let items):
      for item in items {
        try environment.step()
        if try sink(item) == .stop { return .stop }
      }
    case .object(let object):
      for member in object.members {
        try environment.step()
        if try sink(member.value) == .stop { return .stop }
      }
    default: if !isOptional { throw cannotIterate(value) }
    }
    return .next
  }

  static func children(
    of place: Located, isOptional: Bool, _ environment: Environment, _ sink: LocatedSink
  ) throws(ExpressionError) -> Flow {
    switch place.value {
    case .array(let items):
      for (index, item) in items.enumerated() {
        try environment.step()
        if try sink(place.child(.number(Double(index)), item)) == .stop { return .stop }
      }
    case .object(let object):
      for member in object.members {
        try environment.step()
        if try sink(place.child(.string(member.key), member.value)) == .stop { return .stop }
      }
    default: if !isOptional { throw cannotIterate(place.value) }
    }
    return .next
  }

  static func cannotIterate(_ value: JSONValue) -> ExpressionError {
    return .badValue("Cannot iterate over \(value.described)")
  }
}
