internal import JSON

/// Objects and their entries.
extension Builtin {
  static let objects: [Builtin] = [
    Builtin(
      "keys", [], "The keys of an object in order; the positions of an array.",
      Example("keys", #"{"b":1,"a":2}"#, #"["a","b"]"#),
      .value { input, environment throws(ExpressionError) in
        .array(try keys(input, isSorted: true, environment))
      }),
    Builtin(
      "keys_unsorted", [], "The keys of an object as they come.",
      Example("keys_unsorted", #"{"b":1,"a":2}"#, #"["b","a"]"#),
      .value { input, environment throws(ExpressionError) in
        .array(try keys(input, isSorted: false, environment))
      }),
    Builtin(
      "has", ["key"], "True if there is a member with a key, or an element at a position.",
      Example("has(\"a\")", #"{"a":null}"#, "true"),
      .value1 { input, key, environment throws(ExpressionError) in .bool(try has(input, key, environment)) }),
    Builtin(
      "in", ["object"], "True if the input is a key of an object.", Example("in({\"a\": 1})", "\"a\"", "true"),
      .value1 { key, object, environment throws(ExpressionError) in .bool(try has(object, key, environment)) }),
    Builtin(
      "map_values", ["f"], "The values changed in place; those without an output are left out.",
      Example("map_values(. + 1)", #"{"a":1}"#, #"{"a":2}"#),
      .node { ModifyNode(IterateNode(IdentityNode.shared, isOptional: false), $0[0]) }),
    Builtin(
      "to_entries", [], "The members as objects of key and value.",
      Example("to_entries", #"{"a":1}"#, #"[{"key":"a","value":1}]"#),
      .value { input, environment throws(ExpressionError) in try entries(input, environment) }),
    Builtin(
      "from_entries", [], "An object of objects of key and value.",
      Example("from_entries", #"[{"key":"a","value":1},{"name":"b","Value":2}]"#, #"{"a":1,"b":2}"#),
      .value { input, environment throws(ExpressionError) in try object(input, environment) }),
    Builtin(
      "with_entries", ["f"], "The object with each of its entries changed.",
      Example("with_entries(.value += 1)", #"{"a":1}"#, #"{"a":2}"#),
      .definition("to_entries | map(f) | from_entries")),
    Builtin(
      "walk", ["f"], "The value with each part of it changed, the innermost first.",
      Example("walk(if type == \"number\" then . + 1 else . end)", "[1,[2]]", "[2,[3]]"),
      .definition(
        #"def w: if type == "object" then map_values(w) elif type == "array" then map(w) else . end | f; w"#)),
  ]

  private static func keys(
    _ input: JSONValue, isSorted: Bool, _ environment: Environment
  ) throws(ExpressionError) -> [JSONValue] {
    switch input {
    case .object(let object):
      try environment.charge(values: 2 * object.count)
      if isSorted { try environment.chargeSorting(of: object) }
      return (isSorted ? object.sortedMembers : object.members).map { .string($0.key) }
    case .array(let items):
      try environment.charge(values: items.count)
      return items.indices.map { .number(Double($0)) }
    default: throw .badValue("\(input.described) has no keys")
    }
  }

  private static func has(
    _ container: JSONValue, _ key: JSONValue, _ environment: Environment
  ) throws(ExpressionError) -> Bool {
    switch (container, key.plain) {
    case (.object(let object), .string(let name)):
      try environment.charge(key: name)
      return object[name] != nil
    case (.null, _): return false
    case (.array(let items), .number(let index)): return index > -1 && index < Double(items.count)
    default: throw .badValue("Cannot check whether \(container.typeName) has a \(key.typeName) key")
    }
  }

  private static func entries(
    _ input: JSONValue, _ environment: Environment
  ) throws(ExpressionError) -> JSONValue {
    var entries: [JSONValue] = []
    for key in try keys(input, isSorted: false, environment) {
      let entry: JSONObject = ["key": key, "value": try Indexing.get(input, key, environment)]
      try environment.constructed(.object(entry))
      entries.append(.object(entry))
    }
    return .array(entries)
  }

  private static func object(
    _ input: JSONValue, _ environment: Environment
  ) throws(ExpressionError) -> JSONValue {
    var object = JSONObject()
    _ = try Iteration.each(of: input, environment) { entry throws(ExpressionError) in
      var key = JSONValue.null
      for name in ["key", "Key", "name", "Name"] where !key.isTrue { key = try Indexing.field(entry, name) }
      guard let name = key.asString else { throw .badValue("Cannot use \(key.described) as object key") }
      try environment.charge(key: name)
      object[name] = try Indexing.field(entry, try has(entry, "value", environment) ? "value" : "Value")
      return .next
    }
    try environment.constructed(.object(object))
    return .object(object)
  }
}
