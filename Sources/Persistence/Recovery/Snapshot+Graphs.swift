import Signals
import StateLog

extension Snapshot {
  /// Creates a snapshot of durable graphs.
  ///
  /// - Parameters:
  ///   - number: The last commit included.
  ///   - time: In microseconds since 1970.
  ///   - owed: The file writes that may be incomplete.
  init(
    _ number: UInt64, at time: Int64, of durable: DurableRuntime, owing owed: OwedWritings,
    _ configuration: StoredConfiguration
  ) {
    var state = StateEncoder()
    owed.encodeContents(to: &state)
    state.blob(durable.state())
    owed.encodeOthers(to: &state)
    self.init(
      number: number, time: time, hash: durable.hash.value, configuration: configuration.bytes, state: state.bytes)
  }
}
