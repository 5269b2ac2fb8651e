/// A draft is a snapshot whose parts are being written, one transaction each, so that commits never wait for all of them.
///
/// It counts only from the transaction on that writes its last part, and with it the row that names its parts.
struct SnapshotDraft {
  /// The bytes of a part: a few milliseconds of a disk.
  private static let portion = 512 << 10

  let snapshot: Snapshot
  /// The number of the first part.
  let firstPart: Int64
  private(set) var written = 0

  init(_ snapshot: Snapshot, firstPart: Int64) {
    self.snapshot = snapshot
    self.firstPart = firstPart
  }

  /// How many parts there will be.
  var count: Int { (snapshot.state.count + Self.portion - 1) / Self.portion }

  var nextPart: Int64 { firstPart + Int64(written) }

  /// The bytes of the next part.
  var nextBytes: ArraySlice<UInt8> { snapshot.state.dropFirst(written * Self.portion).prefix(Self.portion) }

  mutating func wrotePart() { written += 1 }
}
