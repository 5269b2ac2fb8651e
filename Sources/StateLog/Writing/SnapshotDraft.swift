/// A snapshot whose parts are being written in separate transactions, so that commits never wait for all of them.
///
/// It takes effect with the transaction of its last part, which includes the row that refers to the parts.
struct SnapshotDraft {
  let snapshot: Snapshot
  /// The number of the first part.
  let firstPart: Int64
  /// The size of a part in bytes.
  let portion: Int
  private(set) var written = 0

  init(_ snapshot: Snapshot, firstPart: Int64, portion: Int) {
    self.snapshot = snapshot
    self.firstPart = firstPart
    self.portion = portion
  }

  /// The total number of parts.
  var count: Int { (snapshot.state.count + portion - 1) / portion }

  var nextPart: Int64 { firstPart + Int64(written) }

  var nextBytes: ArraySlice<UInt8> { snapshot.state.dropFirst(written * portion).prefix(portion) }

  mutating func wrotePart() { written += 1 }
}
