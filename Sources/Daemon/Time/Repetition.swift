import Linux

/// Something that may come about as often as somebody likes, and that is worth a few lines a second.
struct Repetition {
  /// How many lines a second it is worth.
  private let allowance: Int
  /// When the present second began, and how many lines it has had.
  private var second: (begin: MonotonicInstant, lines: Int)?
  private var unsaid = 0

  init(allowance: Int = 1) { self.allowance = allowance }

  /// How often it has happened unsaid since the last line, if it is to be said now.
  mutating func next(at now: MonotonicInstant) -> Int? {
    if second.map({ now - $0.begin >= .seconds(1) }) ?? true { second = (now, 0) }
    guard let lines = second?.lines, lines < allowance else {
      unsaid += 1
      return nil
    }
    second?.lines += 1
    defer { unsaid = 0 }
    return unsaid
  }
}
