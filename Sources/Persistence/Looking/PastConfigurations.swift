import ReactiveCore
import StateLog

/// The configurations of snapshots: one is read once, as long as it stays the same from snapshot to snapshot.
final class PastConfigurations {
  /// The signal of interest, if any; otherwise all graphs are replayed.
  private var signal: String?
  private var last: (bytes: [UInt8], replayed: ReplayedConfiguration)?

  init(for signal: String? = nil) { self.signal = signal }

  /// Replays all graphs from now on if a replay has found that the part cannot be separated.
  ///
  /// - Returns: False if nothing changes.
  func includeOthers() -> Bool {
    guard let part = last?.replayed.part, !part.isSeparable else { return false }
    (signal, last) = (nil, nil)
    return true
  }

  func configuration(_ bytes: [UInt8]) throws(StateError) -> ReplayedConfiguration {
    if let last, last.bytes == bytes { return last.replayed }
    let replayed = ReplayedConfiguration(try StoredConfiguration(bytes), for: signal)
    last = (bytes, replayed)
    return replayed
  }
}
