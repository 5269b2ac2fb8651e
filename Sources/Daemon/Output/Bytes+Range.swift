import WireProtocol

extension [UInt8] {
  /// Appends a stretch of other bytes, without a slice of them that would count references.
  @inline(__always)
  mutating func append(_ bytes: [UInt8], _ range: Range<Int>) {
    bytes.withUnsafeBufferPointer { append(contentsOf: UnsafeBufferPointer(rebasing: $0[range])) }
  }

  /// Takes the lines of a stretch apart; a value has no end of line in it.
  func forEachLine(in range: Range<Int>, _ body: (Range<Int>) -> Void) {
    var start = range.lowerBound
    while let end = endOfLine(in: start..<range.upperBound) {
      body(start..<end)
      start = end
    }
  }

  /// The place behind the next end of line.
  private func endOfLine(in range: Range<Int>) -> Int? {
    withUnsafeBufferPointer { UnsafeBufferPointer(rebasing: $0[range]).lineEnd.map { range.lowerBound + $0 + 1 } }
  }
}
