internal import JSON

/// Reading and changing the value at a path.
enum PathAccess {
  /// Returns the keys of a computed path.
  static func keys(_ path: JSONValue) throws(ExpressionError) -> [JSONValue] {
    guard case .array(let keys) = path else { throw .badValue("Path must be specified as an array") }
    return keys
  }

  /// Returns the value at a path; below null every value is null.
  static func get(
    _ root: JSONValue, _ path: [JSONValue], _ environment: Environment
  ) throws(ExpressionError) -> JSONValue {
    var value = root
    for key in path {
      if case .null = value { return .null }
      try environment.step()
      value = try Indexing.get(value, key, environment)
    }
    return value
  }

  typealias Change = (inout JSONValue) throws(ExpressionError) -> Void

  /// Changes the value at a path in place, and creates missing containers on the way.
  ///
  /// After an error the root is invalid.
  static func change(
    _ root: inout JSONValue, at path: ArraySlice<JSONValue>, _ environment: Environment, _ change: Change
  ) throws(ExpressionError) {
    guard let key = path.first else { return try change(&root) }
    if path.count > environment.account.limits.depth { throw Environment.tooDeep }
    try environment.step()
    let rest = path.dropFirst()
    switch key.plain {
    case .string(let name) where root.isObject || root.isNull:
      try member(&root, name, rest, environment, change)
    case .number(let index) where root.isArray || root.isNull:
      try element(&root, index, rest, environment, change)
    case .object(let bounds) where root.isArray || root.isNull:
      try slice(&root, Slice(bounds), rest, environment, change)
    case .array where root.isArray: throw .badValue("Cannot update field at array index of array")
    case .object where root.asString != nil: throw .badValue("Cannot update string slices")
    default: throw Indexing.cannotIndex(root, key)
    }
  }

  private static func member(
    _ root: inout JSONValue, _ name: String, _ rest: ArraySlice<JSONValue>, _ environment: Environment,
    _ change: Change
  ) throws(ExpressionError) {
    try environment.charge(key: name)
    var object = root.takeObject() ?? JSONObject()
    var child = object[name] ?? .null
    if child.isContainer { object[name] = .null }
    try PathAccess.change(&child, at: rest, environment, change)
    object[name] = child
    root = .object(object)
    try environment.constructed(rest.isEmpty ? child : .null)
  }

  private static func element(
    _ root: inout JSONValue, _ index: Double, _ rest: ArraySlice<JSONValue>, _ environment: Environment,
    _ change: Change
  ) throws(ExpressionError) {
    if index.isNaN { throw .badValue("Cannot set array element at NaN index") }
    var items = root.takeArray() ?? []
    var position = Int(min(max(index.rounded(.towardZero), -0x1p31), 0x1p31))
    if position < 0 { position += items.count }
    guard position >= 0 else { throw .badValue("Out of bounds negative array index") }
    if position >= items.count {
      try environment.allow(elements: position, copied: position - items.count)
      items.append(contentsOf: repeatElement(.null, count: position - items.count + 1))
    }
    var child = JSONValue.null
    swap(&child, &items[position])
    try PathAccess.change(&child, at: rest, environment, change)
    items[position] = child
    root = .array(items)
    try environment.constructed(rest.isEmpty ? child : .null)
  }

  private static func slice(
    _ root: inout JSONValue, _ slice: Slice, _ rest: ArraySlice<JSONValue>, _ environment: Environment,
    _ change: Change
  ) throws(ExpressionError) {
    let isNull = root.isNull
    var items = root.takeArray() ?? []
    guard let range = slice.range(of: items.count) else { throw Slice.badBounds }
    var child = isNull ? JSONValue.null : .array(Array(items[range]))
    try PathAccess.change(&child, at: rest, environment, change)
    guard case .array(let replacement) = child else {
      throw .badValue("A slice of an array can only be assigned another array")
    }
    try environment.charge(values: items.count + replacement.count)
    items.replaceSubrange(range, with: replacement)
    root = .array(items)
  }
}
