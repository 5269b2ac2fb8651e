import GraphModel

/// Durable graphs in the state of the last commit.
package struct Recovered {
  let durable: DurableRuntime
  /// The configuration of the log; `nil` for a new one.
  let configuration: Configuration?
  let lastCommit: UInt64
  /// The file writes that may be incomplete.
  let owedWritings: OwedWritings
  /// The signals that are to be reset.
  let discarded: Set<String>

  /// Returns the graphs of a log without a snapshot, which have not begun.
  init(new configuration: Configuration, in home: Home) {
    durable = DurableRuntime(
      configuration.part(of: home), world: DurableWorld(.stateLog), mirrors: DurableRuntime.mirrors(in: home),
      isResuming: true)
    self.configuration = nil
    lastCommit = 0
    owedWritings = OwedWritings()
    discarded = []
  }

  init(_ replay: Replay) {
    durable = replay.durable
    configuration = replay.configuration
    lastCommit = replay.lastCommit
    owedWritings = replay.owed
    discarded = replay.discarded
  }
}
