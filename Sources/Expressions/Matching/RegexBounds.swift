internal import Glibc
internal import JSON

// A search is bounded in two ways. Retries, which catastrophic patterns need without end, are charged as steps. The
// library does not count the scanning of text, which alone can be quadratic (`a*b` on many `a`): a long text is
// searched in pieces, and the search time of the evaluation is checked after each. That time is a backstop: no search
// of a text of usual length approaches it. So its first part is measured by the wall clock, at a tenth of the cost of
// reading the processor time from the kernel; no more than that part counts, however long the thread was descheduled.
extension RegexSearch {
  /// Steps charged for a search that matches at once.
  private static let stepsPerSearch = 6
  /// Retries per step.
  private static let retriesPerStep = 10
  private static let retries = [1_000, 10_000, 100_000, 1_000_000]
  /// Nanoseconds that an evaluation may spend on searching.
  private static let maximumTime = 25_000_000
  /// The part of them that is measured by the wall clock.
  private static let wallTime = 5_000_000
  /// The size of one piece: starting places by bytes of text by bytes of pattern.
  private static let workPerPiece = 1 << 26
  /// The duration in nanoseconds below which the next piece is longer.
  private static let shortTime = 200_000
  private static let maximumGrowth = 16

  /// The maximum size of a pattern in bytes: compiling some is quadratic.
  private static let longestPattern = 4096

  /// Returns a compiled pattern, charged to the evaluation unless it is cached.
  static func compiled(
    _ pattern: String, _ options: RegexOptions, _ environment: Environment
  ) throws(ExpressionError) -> RegularExpression {
    if pattern.utf8.count > longestPattern { throw Environment.patternTooLong }
    let watch = Stopwatch(environment)
    let (expression, isNew) = try environment.patterns.expression(pattern, options)
    if isNew {
      try environment.charge(bytes: 100 * pattern.utf8.count)
      try charge(watch, environment)
    }
    return expression
  }

  /// Returns the groups of the first match from a byte on.
  func firstMatch(from start: Int) throws(ExpressionError) -> Groups? {
    let count = text.utf8.count
    var piece = max(1, Self.workPerPiece / (max(count, 1) * max(expression.length, 16)))
    let longest = expression.isAnchoredAtStart ? count : piece * Self.maximumGrowth
    if expression.isAnchoredAtStart { piece = count }
    var next = start
    while true {
      let end = piece >= count - next ? count : characterBoundary(from: next + piece)
      let before = environment.account.searching
      if let groups = try match(startingIn: next..<end) { return groups }
      if end == count {
        try environment.charge(characters: count - start)
        return nil
      }
      if environment.account.searching - before < Self.shortTime { piece = min(piece * 2, longest) }
      next = end
    }
  }

  /// Returns the groups of a match that starts in a range.
  ///
  /// The library does not report the number of retries, so a search starts with few and is repeated with ten times as
  /// many when they do not suffice: the charge approximates the work.
  private func match(startingIn starts: Range<Int>) throws(ExpressionError) -> Groups? {
    for retries in Self.retries {
      try environment.step(retries == Self.retries[0] ? Self.stepsPerSearch : retries / Self.retriesPerStep)
      switch try timed(starts, retries) {
      case .match(let groups): return groups
      case .mismatch: return nil
      case .failure(let error): throw error
      case .limit: continue
      }
    }
    throw Environment.tooManyRetries
  }

  private func timed(_ starts: Range<Int>, _ retries: Int) throws(ExpressionError) -> RegularExpression.Outcome {
    let watch = Stopwatch(environment)
    var text = text
    let outcome = text.withUTF8 { expression.search($0, startingIn: starts, retries: retries) }
    try Self.charge(watch, environment)
    return outcome
  }

  private static func charge(_ watch: Stopwatch, _ environment: Environment) throws(ExpressionError) {
    environment.account.searching += watch.time
    if environment.account.searching > maximumTime { throw Environment.tooMuchSearching }
  }

  /// The time since the beginning of a search.
  private struct Stopwatch {
    private let clock: clockid_t
    private let longest: Int
    private let begin: Int

    init(_ environment: Environment) {
      let wallTimeLeft = RegexSearch.wallTime - environment.account.searching
      (clock, longest) = wallTimeLeft > 0 ? (CLOCK_MONOTONIC, wallTimeLeft) : (CLOCK_THREAD_CPUTIME_ID, Int.max)
      begin = Self.nanoseconds(of: clock)
    }

    /// In nanoseconds.
    var time: Int { min(Self.nanoseconds(of: clock) - begin, longest) }

    private static func nanoseconds(of clock: clockid_t) -> Int {
      var time = timespec()
      clock_gettime(clock, &time)
      return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }
  }
}
