import ReactiveCore
import StateLog

/// The configurations of snapshots: one is read once, as long as it stays the same from snapshot to snapshot.
final class PastConfigurations {
  private var last: (bytes: [UInt8], stored: StoredConfiguration)?

  func configuration(_ bytes: [UInt8]) throws(StateError) -> StoredConfiguration {
    if let last, last.bytes == bytes { return last.stored }
    let stored = try StoredConfiguration(bytes)
    last = (bytes, stored)
    return stored
  }
}
