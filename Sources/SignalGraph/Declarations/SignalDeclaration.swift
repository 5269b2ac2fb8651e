package import JSON

/// One signal of a graph, read and found right.
package struct SignalDeclaration: Sendable {
  /// `graph.signal`.
  package let name: String
  let node: ConfigNode
  let body: SignalBody
  package let traits: SignalTraits
  /// The declaration as the file says it, `${…}` unexpanded, for `describe`.
  package let text: JSONValue

  package var kind: SignalKind { body.source.kind }

  /// The named signals that it is computed from, in the order in which they are named.
  package var upstream: [String] {
    var names: [String] = []
    for (name, _) in body.references.flatMap(\.names) where !names.contains(name) { names.append(name) }
    return names
  }
}

/// What a signal does beside computing.
package struct SignalTraits: Sendable {
  package var documentation: String?
  package var unit: String?
  /// Not visible to clients.
  package var isPrivate = false
  package var access = AccessRules()
  /// How many values a newcomer is given.
  var retention = 0
  /// A value that is held from the start.
  var initial: JSONValue?
  var onError = ErrorPolicy.drop
}

/// What a signal does with a value that one of its expressions refuses.
enum ErrorPolicy: String, Choice {
  /// Leave it out, count it and report it.
  case drop
  /// Emit `{"error":{code,message}}` in its place.
  case emit
  /// Fail, as RAC does.
  case fail
}
