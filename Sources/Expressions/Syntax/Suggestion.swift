/// Finds what was probably meant by a misspelt name.
enum Suggestion {
  /// The nearest candidate, if it is near enough to be meant; of equally near ones the first.
  static func nearest(to name: String, among candidates: some Sequence<String>) -> String? {
    let word = Array(name.utf8)
    var best: (name: String, distance: Int)?
    for candidate in candidates {
      let letters = Array(candidate.utf8)
      let allowed = max(1, min(word.count, letters.count) / 3)
      guard abs(letters.count - word.count) <= allowed else { continue }
      let distance = distance(word, letters)
      if distance <= allowed, distance < best?.distance ?? .max { best = (candidate, distance) }
    }
    return best?.name
  }

  /// The number of letters to insert, remove, replace or swap with their neighbour.
  static func distance(_ a: [UInt8], _ b: [UInt8]) -> Int {
    var beforeLast: [Int] = []
    var last = Array(0...b.count)
    for i in a.indices {
      var row = [i + 1]
      for j in b.indices {
        var cost = min(row[j] + 1, last[j + 1] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { cost = min(cost, beforeLast[j - 1] + 1) }
        row.append(cost)
      }
      beforeLast = last
      last = row
    }
    return last[b.count]
  }
}
