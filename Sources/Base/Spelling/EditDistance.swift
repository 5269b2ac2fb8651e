/// The optimal string alignment distance: the number of bytes to insert, remove, replace or swap with a neighbour to
/// get from one word to another.
///
/// Upper and lower case are equal, and so are `-` and `_`. Clients can request this at any rate, so it allocates
/// nothing for each word and gives up as soon as the bound is exceeded.
struct EditDistance {
  /// The maximum length of a word; longer ones are not typing errors.
  private static let longest = 256

  private let word: [UInt8]
  private var beforeLast: [Int]
  private var last: [Int]
  private var current: [Int]

  init(from word: String) {
    self.word = word.utf8.prefix(Self.longest + 1).map(\.folded)
    let rows = [Int](repeating: 0, count: Self.longest + 1)
    (beforeLast, last, current) = (rows, rows, rows)
  }

  /// Returns the distance to a word, or `nil` if it is greater than `bound`.
  mutating func callAsFunction(to other: String, bound: Int) -> Int? {
    var other = other
    return other.withUTF8 { measure($0, bound) }
  }

  private mutating func measure(_ other: UnsafeBufferPointer<UInt8>, _ bound: Int) -> Int? {
    if abs(other.count - word.count) > bound || max(other.count, word.count) > Self.longest { return nil }
    for column in 0...other.count { last[column] = column }
    for row in word.indices {
      var least = fill(row, other)
      if row > 0 { least = min(least, last[0...other.count].min() ?? least) }
      if least > bound { return nil }
      (beforeLast, last, current) = (last, current, beforeLast)
    }
    return last[other.count] <= bound ? last[other.count] : nil
  }

  /// Computes a row and returns its least distance.
  private mutating func fill(_ row: Int, _ other: UnsafeBufferPointer<UInt8>) -> Int {
    current[0] = row + 1
    var least = row + 1
    for column in other.indices {
      let byte = other[column].folded
      var best = min(last[column + 1], current[column]) + 1
      best = min(best, last[column] + (word[row] == byte ? 0 : 1))
      if row > 0, column > 0, word[row] == other[column - 1].folded, word[row - 1] == byte {
        best = min(best, beforeLast[column - 1] + 1)
      }
      current[column + 1] = best
      least = min(least, best)
    }
    return least
  }
}

extension UInt8 {
  /// The representative of the bytes that count as equal.
  var folded: UInt8 {
    switch self {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): self | 0x20
    case UInt8(ascii: "-"): UInt8(ascii: "_")
    default: self
    }
  }
}
