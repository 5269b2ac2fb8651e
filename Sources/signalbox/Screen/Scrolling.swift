/// The first line that a screen shows, moved by the keys of `less(1)`.
struct Scrolling {
  private(set) var first = 0

  /// Moves by a key that scrolls; all others have no effect.
  ///
  /// - Parameter page: The number of lines that the screen shows.
  mutating func press(_ key: Key, page: Int) {
    switch key {
    case .up, .character("k"): first -= 1
    case .down, .character("j"): first += 1
    case .pageUp, .character("b"): first -= page
    case .pageDown, .character(" "): first += page
    case .home, .character("g"): first = 0
    case .end, .character("G"): first = .max / 2
    default: break
    }
    first = max(0, first)
  }

  mutating func moveToStart() { first = 0 }

  /// Scrolls back if the screen is beyond the end.
  ///
  /// - Parameters:
  ///   - count: The number of all lines.
  ///   - page: The number of lines that the screen shows.
  mutating func limit(to count: Int, page: Int) { first = max(0, min(first, count - page)) }
}
