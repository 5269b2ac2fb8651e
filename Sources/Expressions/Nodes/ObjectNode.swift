internal import JSON

/// `{key: value, …}`: one object for each combination of keys and values.
final class ObjectNode: Node {
  struct Entry {
    let key: any Node
    let value: any Node
  }

  let isDirect: Bool
  private let entries: [Entry]
  /// The keys, if all are constant and different.
  private let names: [String]?

  init(_ entries: [Entry]) {
    self.entries = entries
    isDirect = entries.allSatisfy { $0.key.isDirect && $0.value.isDirect }
    let names = entries.compactMap { ($0.key as? ConstantNode)?.value.asString }
    let areDistinct = Set(names.map { Array($0.utf8) }).count == entries.count
    self.names = areDistinct ? names : nil
  }

  /// The template for writing its output as text, if it makes one object of known keys.
  var template: ObjectTemplate? {
    guard isDirect, let names else { return nil }
    return ObjectTemplate(Array(zip(names, entries.map(\.value))))
  }

  func direct(_ input: JSONValue, _ frame: Frame) throws(ExpressionError) -> JSONValue? {
    guard let names else { return try computed(input, frame) }
    var members: [JSONObject.Member] = []
    members.reserveCapacity(names.count)
    for index in names.indices {
      guard let value = try entries[index].value.direct(input, frame) else { return nil }
      members.append(JSONObject.Member(key: names[index], value: value))
    }
    let object = JSONObject(distinct: members)
    try frame.environment.constructed(.object(object))
    return .object(object)
  }

  /// Makes an object with computed keys.
  private func computed(_ input: JSONValue, _ frame: Frame) throws(ExpressionError) -> JSONValue? {
    var object = JSONObject()
    for entry in entries {
      guard let key = try entry.key.direct(input, frame) else { return nil }
      let name = try Self.name(of: key)
      guard let value = try entry.value.direct(input, frame) else { return nil }
      try frame.environment.charge(key: name)
      object[name] = value
    }
    try frame.environment.constructed(.object(object))
    return .object(object)
  }

  func each(_ input: JSONValue, _ frame: Frame, _ sink: Sink) throws(ExpressionError) -> Flow {
    try add(entries[...], to: JSONObject(), input, frame, sink)
  }

  private func add(
    _ rest: ArraySlice<Entry>, to object: JSONObject, _ input: JSONValue, _ frame: Frame, _ sink: Sink
  ) throws(ExpressionError) -> Flow {
    guard let entry = rest.first else {
      try frame.environment.constructed(.object(object))
      return try sink(.object(object))
    }
    return try entry.key.each(input, frame) { key throws(ExpressionError) in
      let name = try Self.name(of: key)
      return try entry.value.each(input, frame) { value throws(ExpressionError) in
        try frame.environment.charge(values: object.count)
        try frame.environment.charge(key: name)
        var extended = object
        extended[name] = value
        return try add(rest.dropFirst(), to: extended, input, frame, sink)
      }
    }
  }

  private static func name(of key: JSONValue) throws(ExpressionError) -> String {
    guard let name = key.asString else {
      throw .badValue("Cannot use \(key.described) as object key")
    }
    return name
  }
}
