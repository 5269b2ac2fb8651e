package import GraphModel

/// A failure of a call or of a source on the network, such as that of a poll.
package struct NotedFailure: Sendable {
  package let failure: SignalFailure
  /// The status of the answer.
  package let status: Int32?
  /// In microseconds since 1970.
  package let time: Int64
}

extension GraphRuntime {
  /// The failures of sources on the network that have brought nothing since, by the full names of their signals.
  package var sourceFailures: [String: NotedFailure] { engine.networkMemories.compactMapValues(\.lastFailure) }

  /// Notes that the source of a signal works again, although it brings nothing.
  package func endFailure(ofSource signal: String) { engine.networkMemories[signal]?.lastFailure = nil }
}
