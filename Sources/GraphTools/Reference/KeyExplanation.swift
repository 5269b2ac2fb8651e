import JSON

/// A configuration key and its meaning, from the JSON Schema.
package struct KeyExplanation: Sendable {
  /// The path of keys: `limits.user.memory`.
  package let name: String
  package let meaning: String

  /// The settings of the daemon.
  package static var server: [KeyExplanation] { keys(of: ServerSchema.server) }
  /// The keys of a graph.
  package static var graph: [KeyExplanation] { keys(of: ConfigurationSchema.graph) }
  /// The keys of a signal except its source and its pipe.
  package static var traits: [KeyExplanation] {
    keys(of: .object(["properties": .object(JSONObject(SignalSchema.traits))]), depth: 1)
  }
  /// The keys of a test.
  package static var test: [KeyExplanation] { keys(of: TestSchema.test, depth: 1) }

  private static func keys(of schema: JSONValue, in path: String = "", depth: Int = .max) -> [KeyExplanation] {
    guard case .object(let object) = schema else { return [] }
    if case .array(let choices)? = object["anyOf"] {
      return choices.flatMap { keys(of: $0, in: path, depth: depth) }
    }
    guard depth > 0, case .object(let properties)? = object["properties"] else { return [] }
    return properties.members.flatMap { member -> [KeyExplanation] in
      let name = path.isEmpty ? member.key : "\(path).\(member.key)"
      let own = meaning(of: member.value).map { KeyExplanation(name: name, meaning: $0) }
      return (own.map { [$0] } ?? []) + keys(of: member.value, in: name, depth: depth - 1)
    }
  }

  private static func meaning(of schema: JSONValue) -> String? {
    guard case .object(let object) = schema, case .string(let text)? = object["description"]?.plain else { return nil }
    return text
  }
}
