import GraphModel
import Signals

/// The configuration of a replay, as it was stored, and the part that is replayed.
struct ReplayedConfiguration {
  let stored: StoredConfiguration
  /// The home of the replayed graphs.
  let home: Home
  /// The only signals to replay; `nil` for all.
  let part: ConnectedPart?
  /// The declarations of the replayed signals.
  let replayed: Configuration

  /// - Parameter signal: The signal of interest, if any: the signals that it is connected to are replayed.
  init(_ stored: StoredConfiguration, in home: Home = .folder, for signal: String? = nil) {
    self.stored = stored
    self.home = home
    let durable = stored.configuration.part(of: home)
    part = signal.flatMap { ConnectedPart(of: $0, in: durable) }
    replayed = part?.configuration ?? durable
  }

  /// Reads the configuration of a snapshot, for a replay of all graphs.
  init(bytes: [UInt8]) throws(StateError) { self.init(try StoredConfiguration(bytes)) }

  /// Reads the configuration of a snapshot of a home.
  ///
  /// - Parameter present: The configuration in whose way expressions are evaluated.
  init(bytes: [UInt8], in home: Home, evaluatedAs present: Configuration? = nil) throws(StateError) {
    let stored = try StoredConfiguration(bytes)
    self.init(present.map(stored.evaluated) ?? stored, in: home)
  }
}
