/// Finds the word that somebody may have meant.
package enum Suggestion {
  /// The candidate that takes the fewest changes to get from the word, the first of several; `nil` if there is none.
  package static func nearest(to word: String, among candidates: some Collection<String>) -> String? {
    nearest(to: word, among: candidates) { _ in .max }
  }

  /// The candidate that the word may be a slip of, or the only one that begins with the word, as `warning` does with
  /// `warn`; `nil` if there is none.
  ///
  /// A third of the letters may differ, at least one and at most four, but not all of them.
  package static func likely(for word: String, among candidates: some Collection<String>) -> String? {
    let count = word.utf8.count
    let slip = nearest(to: word, among: candidates) { candidate in
      let longest = max(count, candidate.utf8.count)
      return min(max(1, longest / 3), 4, longest - 1)
    }
    return slip ?? completion(of: word, among: candidates)
  }

  private static func nearest(
    to word: String, among candidates: some Collection<String>, within bound: (String) -> Int
  ) -> String? {
    var distance = EditDistance(from: word)
    var best: (word: String, distance: Int)?
    for candidate in candidates {
      let limit = min(bound(candidate), best.map { $0.distance - 1 } ?? .max)
      guard limit >= 0, let found = distance(to: candidate, bound: limit) else { continue }
      best = (candidate, found)
    }
    return best?.word
  }

  private static func completion(of word: String, among candidates: some Collection<String>) -> String? {
    guard word.utf8.count >= 3 else { return nil }
    let beginning = word.utf8.map(\.folded)
    var found: String?
    for candidate in candidates where candidate != found && candidate.utf8.lazy.map(\.folded).starts(with: beginning) {
      if found != nil { return nil }
      found = candidate
    }
    return found
  }
}
