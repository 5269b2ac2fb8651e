import WireProtocol

extension [UInt8] {
  /// Appends a stretch of other bytes, without a slice of them that would count references.
  @inline(__always)
  mutating func append(_ bytes: [UInt8], _ range: Range<Int>) {
    bytes.withUnsafeBufferPointer { append(contentsOf: UnsafeBufferPointer(rebasing: $0[range])) }
  }

  /// The lines of a stretch, each with its end; a value has no end of line in it.
  func lines(in range: Range<Int>) -> [Range<Int>] {
    var lines: [Range<Int>] = []
    var start = range.lowerBound
    while let end = endOfLine(in: start..<range.upperBound) {
      lines.append(start..<end)
      start = end
    }
    return lines
  }

  /// The place behind the next end of line.
  private func endOfLine(in range: Range<Int>) -> Int? {
    withUnsafeBufferPointer { UnsafeBufferPointer(rebasing: $0[range]).lineEnd.map { range.lowerBound + $0 + 1 } }
  }
}
