/// A draft is a snapshot whose parts are being written, one transaction each, so that commits never wait for them all.
///
/// It counts from the transaction on that writes its last part, and with it the row that names its parts.
struct SnapshotDraft {
  let snapshot: Snapshot
  /// The number of the first part.
  let firstPart: Int64
  /// The bytes of a part.
  let portion: Int
  private(set) var written = 0

  init(_ snapshot: Snapshot, firstPart: Int64, portion: Int) {
    self.snapshot = snapshot
    self.firstPart = firstPart
    self.portion = portion
  }

  /// How many parts there will be.
  var count: Int { (snapshot.state.count + portion - 1) / portion }

  var nextPart: Int64 { firstPart + Int64(written) }

  /// The bytes of the next part.
  var nextBytes: ArraySlice<UInt8> { snapshot.state.dropFirst(written * portion).prefix(portion) }

  mutating func wrotePart() { written += 1 }
}
