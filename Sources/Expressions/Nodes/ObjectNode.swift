internal import JSON

/// `{key: value, …}`: one object for each combination of keys and values.
final class ObjectNode: Node {
  struct Entry {
    let key: any Node
    let value: any Node
  }

  let isDirect: Bool
  private let entries: [Entry]
  /// An object with the keys that are known beforehand, so that there is one allocation for all members.
  private let template: JSONObject
  private let names: [String]

  init(_ entries: [Entry]) {
    self.entries = entries
    isDirect = entries.allSatisfy { $0.key.isDirect && $0.value.isDirect }
    let names = entries.compactMap { ($0.key as? ConstantNode)?.value.asString }
    self.names = names.count == entries.count ? names : []
    var template = JSONObject()
    for name in self.names { template[name] = .null }
    self.template = template
  }

  func direct(_ input: JSONValue, _ frame: Frame) throws(ExpressionError) -> JSONValue? {
    var object = template
    for index in entries.indices {
      let entry = entries[index]
      if names.isEmpty {
        guard let key = try entry.key.direct(input, frame) else { return nil }
        let name = try Self.name(of: key)
        guard let value = try entry.value.direct(input, frame) else { return nil }
        object[name] = value
      } else {
        guard let value = try entry.value.direct(input, frame) else { return nil }
        object[names[index]] = value
      }
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
