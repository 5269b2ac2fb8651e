package import JSON

extension DeclaredType {
  /// The type as a configuration writes it.
  package var declaration: JSONValue { isPlain ? .string(word.rawValue) : .object(members) }

  /// The keys of its declaration, the word first.
  fileprivate var members: JSONObject {
    var members: JSONObject = ["type": .string(word.rawValue)]
    for (key, value) in narrowings { members[key] = value }
    return members
  }

  /// The keys of its declaration beside the word.
  package var narrowings: [(key: String, value: JSONValue)] {
    var keys: [(key: String, value: JSONValue)] = []
    if let minimum { keys.append(("minimum", .number(minimum))) }
    if let maximum { keys.append(("maximum", .number(maximum))) }
    if !choices.isEmpty { keys.append(("enum", .array(choices))) }
    if !fields.isEmpty { keys.append(("fields", .object(fields.members))) }
    if let items { keys.append(("items", items.declaration)) }
    return keys
  }
}

extension [DeclaredType.Field] {
  fileprivate var members: JSONObject {
    var members: JSONObject = [:]
    for field in self { members[field.name] = field.declaration }
    return members
  }
}

extension DeclaredType.Field {
  fileprivate var declaration: JSONValue {
    guard isOptional else { return type.declaration }
    var members = type.members
    members["optional"] = true
    return .object(members)
  }
}
