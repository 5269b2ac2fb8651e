import JSON

/// Extracts the values in an operator's memory, regardless of its type.
enum RememberedValues {
  /// The maximum number of values; a window may hold more.
  static let limit = 1000
  private static let deepest = 8

  /// Returns the values in order; `nil` for an empty slot.
  static func of(_ memory: Any) -> [JSONValue?] {
    if let scalar = scalar(memory) { return [scalar] }
    var values: [JSONValue?] = []
    gather(memory, into: &values, depth: 0)
    return values
  }

  /// Returns the only content of a memory if it is a number, text or boolean.
  private static func scalar(_ memory: Any) -> JSONValue? {
    switch memory {
    case let number as Double: .number(number)
    case let number as Int: .number(Double(number))
    case let number as UInt64: .number(Double(number))
    case let text as String: .string(text)
    case let flag as Bool: .bool(flag)
    default: nil
    }
  }

  /// Parts of the graph are objects and are not inspected.
  private static func gather(_ memory: Any, into values: inout [JSONValue?], depth: Int) {
    if values.count >= limit || depth > deepest { return }
    switch memory {
    case let payload as Payload: values.append(payload.value)
    case let value as JSONValue: values.append(value)
    case Optional<Any>.none: values.append(nil)
    default:
      let mirror = Mirror(reflecting: memory)
      if mirror.displayStyle == .class { return }
      for child in mirror.children where values.count < limit { gather(child.value, into: &values, depth: depth + 1) }
    }
  }
}
