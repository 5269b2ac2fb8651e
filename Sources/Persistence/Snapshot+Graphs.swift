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
    _ number: UInt64, at time: Int64, of durable: DurableRuntime, owing owed: [(path: String, content: [UInt8])],
    _ configuration: StoredConfiguration
  ) {
    var state = StateWriter()
    state.count(owed.count)
    for (path, content) in owed {
      state.text(path)
      state.blob(content)
    }
    state.blob(durable.state())
    self.init(
      number: number, time: time, hash: durable.hash.value, configuration: configuration.bytes, state: state.bytes)
  }
}
