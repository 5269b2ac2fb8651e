internal import JSON

/// `target[key]` for all kinds of both.
enum Indexing {
  static func get(
    _ target: JSONValue, _ key: JSONValue, _ environment: Environment
  ) throws(ExpressionError) -> JSONValue {
    switch (target, key.plain) {
    case (.object(let object), .string(let name)):
      try environment.charge(key: name)
      return object[name] ?? .null
    case (.array(let items), .number(let index)): return element(items, index)
    case (.array(let items), .array(let sought)):
      try environment.charge(values: items.count)
      return .array(try Search.indices(of: sought, in: items, environment).map { .number(Double($0)) })
    case (.array, .object), (.string, .object), (.verbatim, .object): return try slice(target, key, environment)
    case (.null, .string), (.null, .number), (.null, .object): return .null
    default: throw cannotIndex(target, key)
    }
  }

  static func field(_ target: JSONValue, _ name: String) throws(ExpressionError) -> JSONValue {
    switch target {
    case .object(let object): return object[name] ?? .null
    case .null: return .null
    default: throw cannotIndex(target, .string(name))
    }
  }

  static func element(_ items: [JSONValue], _ index: Double) -> JSONValue {
    guard var position = Int(exactly: index.rounded(.towardZero)) else { return .null }
    if position < 0 { position += items.count }
    return items.indices.contains(position) ? items[position] : .null
  }

  private static func slice(
    _ target: JSONValue, _ key: JSONValue, _ environment: Environment
  ) throws(ExpressionError) -> JSONValue {
    guard case .object(let bounds) = key else { throw cannotIndex(target, key) }
    return try Slice(bounds).apply(to: target, environment)
  }

  static func cannotIndex(_ target: JSONValue, _ key: JSONValue) -> ExpressionError {
    .badValue("Cannot index \(target.typeName) with \(key.described)")
  }
}
