internal import JSON

/// The deletion of values at several paths, which all refer to the original value.
enum PathDeletion {
  static func delete(
    _ paths: [JSONValue], from root: JSONValue, _ environment: Environment
  ) throws(ExpressionError) -> JSONValue {
    var keys: [[JSONValue]] = []
    for path in try Ordering.sorted(paths, by: { $0 }, environment) { keys.append(try PathAccess.keys(path)) }
    guard let first = keys.first else { return root }
    if first.isEmpty { return .null }
    return try delete(keys[...], level: 0, from: root, environment)
  }

  /// Deletes by sorted paths with equal keys before the level, which led here.
  private static func delete(
    _ paths: ArraySlice<[JSONValue]>, level: Int, from root: JSONValue, _ environment: Environment
  ) throws(ExpressionError) -> JSONValue {
    try environment.guardStack()
    var result = root
    var doomed: [JSONValue] = []
    var rest = paths
    while let path = rest.first {
      try environment.step()
      let key = path[level]
      // At least this one, since NaN does not equal itself.
      let group = rest.prefix(1) + rest.dropFirst().prefix { $0[level] == key }
      rest = rest.dropFirst(group.count)
      if path.count == level + 1 {
        doomed.append(key)
        continue
      }
      let child = try Indexing.get(result, key, environment)
      if case .null = child { continue }
      let changed = try delete(group, level: level + 1, from: child, environment)
      try PathAccess.change(&result, at: [key], environment) { value throws(ExpressionError) in value = changed }
    }
    return doomed.isEmpty ? result : try remove(doomed, from: result, environment)
  }

  private static func remove(
    _ keys: [JSONValue], from value: JSONValue, _ environment: Environment
  ) throws(ExpressionError) -> JSONValue {
    switch value {
    case .null: return .null
    case .array(let items):
      try environment.charge(values: items.count)
      return .array(try remove(keys, from: items))
    case .object(let object):
      try environment.charge(values: 4 * object.count)
      return .object(try remove(keys, from: object, environment))
    default: throw .badValue("Cannot delete fields from \(value.typeName)")
    }
  }

  private static func remove(
    _ keys: [JSONValue], from object: JSONObject, _ environment: Environment
  ) throws(ExpressionError) -> JSONObject {
    var doomed = JSONObject()
    for key in keys {
      guard let name = key.asString else {
        throw .badValue("Cannot delete \(key.typeName) field of object")
      }
      try environment.charge(key: name)
      doomed[name] = .null
    }
    return JSONObject(distinct: object.members.filter { doomed[$0.key] == nil })
  }

  private static func remove(
    _ keys: [JSONValue], from items: [JSONValue]
  ) throws(ExpressionError) -> [JSONValue] {
    var isDoomed = Array(repeating: false, count: items.count)
    for key in keys {
      switch key.plain {
      case .number(let index):
        guard let whole = Int(exactly: index.rounded(.towardZero)) else { continue }
        let position = whole < 0 ? whole + items.count : whole
        if items.indices.contains(position) { isDoomed[position] = true }
      case .object(let bounds):
        guard let range = Slice(bounds).range(of: items.count) else { throw Slice.badBounds }
        for position in range { isDoomed[position] = true }
      default: throw .badValue("Cannot delete \(key.typeName) element of array")
      }
    }
    return zip(items, isDoomed).filter { !$1 }.map(\.0)
  }
}
