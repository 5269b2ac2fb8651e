import World

/// The clients that are adapters, by their sessions.
///
/// They are kept here and not in each session: few clients are.
final class Adapters {
  /// The work of adapters; set once the daemon is assembled.
  var network: SystemNetwork?
  private var bySession: [ObjectIdentifier: AttachedAdapter] = [:]

  var isEmpty: Bool { bySession.isEmpty }

  subscript(session: AnyObject) -> AttachedAdapter? { isEmpty ? nil : bySession[ObjectIdentifier(session)] }

  /// Records the adapter that a client is.
  func add(_ adapter: AttachedAdapter, of session: AnyObject) { bySession[ObjectIdentifier(session)] = adapter }

  /// Takes back the tasks of a client that has disconnected.
  func remove(_ session: AnyObject) {
    guard !isEmpty, let adapter = bySession.removeValue(forKey: ObjectIdentifier(session)) else { return }
    network?.detach(adapter)
  }
}
