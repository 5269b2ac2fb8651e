/// A limit on log lines about something that may be repeated at any rate.
package struct Repetition {
  /// The most lines in a second.
  private let allowance: Int
  /// The start of the current second, and its number of lines.
  private var second: (begin: MonotonicInstant, lines: Int)?
  private var unlogged = 0

  package init(allowance: Int = 1) { self.allowance = allowance }

  /// Returns the number of repetitions without a line since the last one, if a line is to be written now.
  package mutating func next(at now: MonotonicInstant) -> Int? {
    if second.map({ now - $0.begin >= .seconds(1) }) ?? true { second = (now, 0) }
    guard let lines = second?.lines, lines < allowance else {
      unlogged += 1
      return nil
    }
    second?.lines += 1
    defer { unlogged = 0 }
    return unlogged
  }

  /// Returns the end of a line that is to be written now, with the number of repetitions without one.
  package mutating func ending(at now: MonotonicInstant) -> String? {
    next(at: now).map { $0 == 0 ? "" : "; \($0) earlier ones not logged" }
  }
}
