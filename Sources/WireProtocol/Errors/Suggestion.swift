/// Finds the word that somebody may have meant.
package enum Suggestion {
  /// The candidate that takes the fewest changes to get from the word, the first of several; `nil` if there is none.
  package static func nearest(to word: String, among candidates: some Sequence<String>) -> String? {
    candidates.map { (distance(word, $0), $0) }.min { $0.0 < $1.0 }?.1
  }

  /// The nearest candidate if it is so near that it may be meant: a third of the letters differ at most.
  package static func likely(for word: String, among candidates: some Sequence<String>) -> String? {
    guard let nearest = nearest(to: word, among: candidates) else { return nil }
    return distance(word, nearest) <= max(1, max(word.count, nearest.count) / 3) ? nearest : nil
  }

  /// Letters to insert, remove, replace or swap with their neighbour (optimal string alignment).
  private static func distance(_ word: String, _ other: String) -> Int {
    let (word, other) = (Array(word.lowercased()), Array(other.lowercased()))
    guard word.count <= 256, other.count <= 256 else { return .max }
    var beforeLast: [Int] = []
    var last = Array(0...other.count)
    for (row, letter) in word.enumerated() {
      var current = [row + 1]
      for (column, otherLetter) in other.enumerated() {
        var best = min(last[column + 1], current[column]) + 1
        best = min(best, last[column] + (letter == otherLetter ? 0 : 1))
        if row > 0, column > 0, letter == other[column - 1], word[row - 1] == otherLetter {
          best = min(best, beforeLast[column - 1] + 1)
        }
        current.append(best)
      }
      (beforeLast, last) = (last, current)
    }
    return last[other.count]
  }
}
