import Signals
import StateLog

/// The configurations of snapshots: one is read once, as long as it stays the same from snapshot to snapshot.
final class PastConfigurations {
  /// The signal of interest, if any; otherwise all graphs are replayed.
  private var signal: String?
  private var last: (bytes: [UInt8], replayed: ReplayedConfiguration)?

  init(for signal: String? = nil) { self.signal = signal }

  /// True once a replay of a part has met a turn that was cut.
  var hasCut = false
  /// True if all graphs and entries are replayed.
  private(set) var isWhole = false

  /// Replays all graphs and entries from now on if a part has turned out not to be separable.
  ///
  /// - Returns: False if nothing changes.
  func includeOthers() -> Bool {
    guard hasCut, !isWhole else { return false }
    (signal, last, isWhole) = (nil, nil, true)
    return true
  }

  func configuration(_ bytes: [UInt8]) throws(StateError) -> ReplayedConfiguration {
    if let last, last.bytes == bytes { return last.replayed }
    let replayed = ReplayedConfiguration(try StoredConfiguration(bytes), for: signal)
    last = (bytes, replayed)
    return replayed
  }
}
