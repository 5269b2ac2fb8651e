/// Finds the word that somebody may have meant.
package enum Suggestion {
  /// The candidate that takes the fewest changes to get from the word, the first of several; `nil` if there is none.
  package static func nearest(to word: String, among candidates: some Sequence<String>) -> String? {
    nearest(to: word, among: candidates) { _ in .max }
  }

  /// The nearest candidate if it is so near that it may be meant: a third of the letters differ at most.
  package static func likely(for word: String, among candidates: some Sequence<String>) -> String? {
    let count = word.utf8.count
    return nearest(to: word, among: candidates) { max(1, max(count, $0.utf8.count) / 3) }
  }

  private static func nearest(
    to word: String, among candidates: some Sequence<String>, within bound: (String) -> Int
  ) -> String? {
    var distance = EditDistance(from: word)
    var best: (word: String, distance: Int)?
    for candidate in candidates {
      let limit = min(bound(candidate), best.map { $0.distance - 1 } ?? .max)
      if limit < 0 { break }
      if let found = distance(to: candidate, bound: limit) { best = (candidate, found) }
    }
    return best?.word
  }
}
