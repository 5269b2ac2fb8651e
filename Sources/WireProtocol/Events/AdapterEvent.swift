package import JSON

/// An event for an adapter.
package enum AdapterEvent {
  /// Changes of the declarations of its kinds; empty lists are left out.
  case declared(connections: [JSONValue]?, added: [JSONValue], changed: [JSONValue], removed: [String])
  case task(JSONObject)
  case cancel(UInt64)

  package func append(to bytes: inout [UInt8]) {
    appendLine(to: &bytes) { line in
      switch self {
      case .declared(let connections, let added, let changed, let removed):
        line.begin("event", "declared")
        if let connections { line.member("connections", .array(connections)) }
        if !added.isEmpty { line.member("added", .array(added)) }
        if !changed.isEmpty { line.member("changed", .array(changed)) }
        if !removed.isEmpty { line.member("removed", removed) }
      case .task(let members):
        line.begin("event", "task")
        line.members(members)
      case .cancel(let number):
        line.begin("event", "cancel")
        line.member("task", number)
      }
    }
  }
}
