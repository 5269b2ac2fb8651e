import Journal
import ReactiveCore

extension Snapshot {
  /// A snapshot of durable graphs.
  ///
  /// - Parameters:
  ///   - number: The last commit that it includes.
  ///   - time: In microseconds since 1970.
  ///   - owed: What was written to files and is perhaps not there.
  init(
    _ number: UInt64, at time: Int64, of durable: DurableRuntime, owing owed: OwedWritings,
    _ configuration: StoredConfiguration
  ) {
    var state = StateWriter()
    owed.storeContents(in: &state)
    state.blob(durable.state())
    owed.storeOthers(in: &state)
    self.init(
      number: number, time: time, hash: durable.hash.value, configuration: configuration.bytes, state: state.bytes)
  }
}
