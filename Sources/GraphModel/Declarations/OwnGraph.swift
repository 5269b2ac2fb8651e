/// The names of the daemon's own graph and of its signals, which are there whatever the configuration says.
package enum OwnGraph {
  /// The reserved name of the graph.
  package static let name = "signalbox"
  /// The full names of its signals.
  package static let signals: Set = [
    "signalbox.errors", "signalbox.reload", "signalbox.clients", "signalbox.ended", "signalbox.connections",
    "signalbox.cluster",
  ]
}
