import Base

extension [UInt8] {
  /// Appends a range of other bytes, without a slice, which would count references.
  @inline(__always)
  mutating func append(_ bytes: [UInt8], _ range: Range<Int>) {
    bytes.withUnsafeBufferPointer { append(contentsOf: UnsafeBufferPointer(rebasing: $0[range])) }
  }

  /// Returns the lines in a range, each with its end; a value contains no end of line.
  func lines(in range: Range<Int>) -> [Range<Int>] {
    var lines: [Range<Int>] = []
    var start = range.lowerBound
    while let end = endOfLine(in: start..<range.upperBound) {
      lines.append(start..<end)
      start = end
    }
    return lines
  }

  /// Returns the index after the next end of line.
  private func endOfLine(in range: Range<Int>) -> Int? {
    withUnsafeBufferPointer { UnsafeBufferPointer(rebasing: $0[range]).lineEnd.map { range.lowerBound + $0 + 1 } }
  }
}
