/// Finds the word that was probably intended.
package enum Suggestion {
  /// Returns the candidate with the fewest changes from the word, the first of several; `nil` if there is none.
  package static func nearest(to word: String, among candidates: some Collection<String>) -> String? {
    nearest(to: word, among: candidates) { _ in .max }
  }

  /// Returns the candidate that the word may be a misspelling of, or the only one that it is a prefix of, as `warn` is
  /// of `warning`; `nil` if there is none.
  ///
  /// At most a third of the letters may differ, at least one and at most four, but not all of them.
  package static func likely(for word: String, among candidates: some Collection<String>) -> String? {
    let count = word.utf8.count
    let misspelling = nearest(to: word, among: candidates) { candidate in
      let longest = max(count, candidate.utf8.count)
      return min(max(1, longest / 3), 4, longest - 1)
    }
    return misspelling ?? completion(of: word, among: candidates)
  }

  /// Returns the likely candidate unless another one is as near.
  package static func unambiguous(for word: String, among candidates: some Collection<String>) -> String? {
    guard let likely = likely(for: word, among: candidates) else { return nil }
    // Without few changes, it is the only candidate that continues the word.
    if completion(of: word, among: candidates) == likely { return likely }
    var distance = EditDistance(from: word)
    guard let changes = distance(to: likely, bound: 4) else { return nil }
    for candidate in candidates where candidate != likely && distance(to: candidate, bound: changes) != nil {
      return nil
    }
    return likely
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
