/// The splitting of bytes into whole lines.
struct LineSplitter {
  private var rest: [UInt8] = []

  /// Returns the lines completed by a chunk, without their terminators.
  mutating func split(_ chunk: [UInt8]) -> [[UInt8]] {
    var pieces = chunk.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    let last = pieces.removeLast()
    guard let first = pieces.first else {
      rest += last
      return []
    }
    let lines = [rest + first] + pieces.dropFirst().map(Array.init)
    rest = Array(last)
    return lines
  }
}
