internal import JSON

/// `a += b` and its like: for each value of `b` the input with the operator applied at all places that `a` names.
final class UpdateNode<Operation: BinaryOperation>: Node {
  let isDirect: Bool
  private let places: any Node
  private let value: any Node

  init(_ places: any Node, _ value: any Node) {
    self.places = places
    self.value = value
    isDirect = value.isDirect
  }

  func direct(_ input: JSONValue, _ frame: Frame) throws(ExpressionError) -> JSONValue? {
    guard let value = try value.direct(input, frame) else { return nil }
    return try update(by: value, input, frame)
  }

  func each(_ input: JSONValue, _ frame: Frame, _ sink: Sink) throws(ExpressionError) -> Flow {
    try value.each(input, frame) { value throws(ExpressionError) in try sink(update(by: value, input, frame)) }
  }

  private func update(
    by value: JSONValue, _ input: JSONValue, _ frame: Frame
  ) throws(ExpressionError) -> JSONValue {
    var result = input
    _ = try places.paths(Located(root: input), frame) { place throws(ExpressionError) in
      try PathAccess.change(&result, at: place.keys()[...], frame.environment) { target throws(ExpressionError) in
        target = try Operation.apply(target, value, frame.environment)
      }
      return .next
    }
    return result
  }
}

/// The operator of `//=`.
enum Preference: BinaryOperation {
  static func apply(
    _ left: JSONValue, _ right: JSONValue, _ environment: Environment
  ) throws(ExpressionError) -> JSONValue {
    left.isTrue ? left : right
  }
}
