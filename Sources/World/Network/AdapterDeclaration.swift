import GraphEngine
import GraphModel
import JSON

/// A source or an action that its adapter has to know.
struct AdapterDeclaration {
  /// The full name of the signal or the action.
  let name: String
  /// The whole declaration.
  let whole: JSONValue
  /// The part whose change an adapter that knows the declaration has to know.
  let form: JSONValue

  init(_ source: FollowedSource) { (name, whole, form) = (source.source.signal, source.declaration, source.form) }

  init(_ action: NetworkAction) {
    name = action.name
    whole = .object([
      "signal": .string(action.name), "role": .string(action.role.rawValue), "kind": .string(action.kind.rawValue),
      "connection": .string(action.connection), "settings": .object(action.settings),
    ])
    form = whole
  }
}

extension AttachedAdapter {
  /// Adopts what the adapter has to know.
  ///
  /// - Returns: The difference from what it knew.
  func adopt(_ connections: [JSONValue], _ declarations: [AdapterDeclaration]) -> DeclarationChange {
    var change = DeclarationChange()
    if JSONValue.array(connections).description != JSONValue.array(knownConnections).description {
      change.connections = connections
      knownConnections = connections
    }
    let names = Set(declarations.map(\.name))
    change.removed = known.keys.filter { !names.contains($0) }.sorted()
    for declaration in declarations {
      guard let earlier = known[declaration.name] else {
        change.added.append(declaration.whole)
        continue
      }
      if earlier.description != declaration.form.description { change.changed.append(declaration.whole) }
    }
    known = Dictionary(declarations.map { ($0.name, $0.form) }) { first, _ in first }
    return change
  }
}
