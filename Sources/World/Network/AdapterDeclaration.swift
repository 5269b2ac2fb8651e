import GraphEngine
import GraphModel
import JSON

/// A source or an action that its adapter has to know.
struct AdapterDeclaration {
  /// The full name of the signal or the action.
  let name: String
  /// Returns the whole declaration, with what it is to begin with.
  private let declaration: () -> JSONValue
  /// The part whose change an adapter that knows the declaration has to know.
  let form: JSONValue

  init(_ source: FollowedSource) {
    (name, form) = (source.source.signal, source.form)
    declaration = { source.declaration }
  }

  /// - Parameter state: Returns the payload that a topic has at present.
  init(_ action: NetworkAction, state: @escaping () -> String?) {
    name = action.name
    let members: JSONObject = [
      "signal": .string(action.name), "role": .string(action.role.rawValue), "kind": .string(action.kind.rawValue),
      "connection": .string(action.connection), "settings": .object(action.settings),
    ]
    form = .object(members)
    declaration = {
      var members = members
      if let state = state() { members["state"] = .string(state) }
      return .object(members)
    }
  }

  /// The whole declaration.
  var whole: JSONValue { declaration() }
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
