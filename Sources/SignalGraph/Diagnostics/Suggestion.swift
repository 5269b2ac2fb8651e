/// "Did you mean": the known word that is nearest to one that is not known.
package enum Suggestion {
  /// The nearest of the candidates, or `nil` where none is near enough to be a slip of the keyboard.
  ///
  /// A third of the word may be wrong, at least one character; of equally near words the first in the list is taken.
  package static func nearest(to word: String, in candidates: some Sequence<String>) -> String? {
    let typed = folded(word)
    var best: (word: String, distance: Int)?
    for candidate in candidates {
      let known = folded(candidate)
      let bound = min(best.map { $0.distance - 1 } ?? .max, max(typed.count, known.count) / 3, 4)
      guard abs(known.count - typed.count) <= max(bound, 1), bound >= 0 else { continue }
      let distance = distance(from: typed, to: known)
      // Of two words that share no letter neither was meant by the other.
      guard distance < max(typed.count, known.count) else { continue }
      if distance <= bound || (best == nil && distance <= 1) { best = (candidate, distance) }
    }
    return best?.word ?? beginning(with: typed, in: candidates)
  }

  /// The one word that begins with what was typed, as `warning` does with `warn`.
  private static func beginning(with typed: [UInt8], in candidates: some Sequence<String>) -> String? {
    guard typed.count >= 3 else { return nil }
    let longer = candidates.filter { folded($0).starts(with: typed) }
    return longer.count == 1 ? longer[0] : nil
  }

  /// Upper and lower case, `-` and `_` are taken for the same.
  private static func folded(_ word: String) -> [UInt8] {
    word.lowercased().utf8.map { $0 == UInt8(ascii: "-") ? UInt8(ascii: "_") : $0 }
  }

  /// Insertions, deletions, replacements and swaps of neighbours that lead from one word to the other
  /// (Damerau–Levenshtein, optimal string alignment).
  static func distance(from left: [UInt8], to right: [UInt8]) -> Int {
    var beforeLast: [Int] = []
    var last = Array(0...right.count)
    for (row, byte) in left.enumerated() {
      var current = [row + 1]
      for (column, other) in right.enumerated() {
        var cost = min(last[column + 1] + 1, current[column] + 1, last[column] + (byte == other ? 0 : 1))
        if row > 0, column > 0, byte == right[column - 1], left[row - 1] == other {
          cost = min(cost, beforeLast[column - 1] + 1)
        }
        current.append(cost)
      }
      (beforeLast, last) = (last, current)
    }
    return last[right.count]
  }
}
