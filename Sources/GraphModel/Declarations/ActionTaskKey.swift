/// The key of an action's task.
package enum ActionTaskKey: String, CaseIterable, Sendable {
  case exec, dbus, http, adapter
}
