internal import Glibc
internal import JSON

// A search is bounded in two ways. Retries, which catastrophic patterns need without end, are charged as steps. The
// library does not count the scanning of text, which alone can be quadratic (`a*b` on many `a`): a long text is
// searched in pieces, and the search time of the evaluation is checked after each. That time is a backstop: no search
// of a text of usual length approaches it. So the first search of an evaluation is not timed if its text is short, and
// the first part of the time is measured by the wall clock, at a tenth of the cost of reading the processor time from
// the kernel; no more than that part counts, however long the thread was descheduled.
//
// Time differs from run to run, and nothing else may: the pieces and the steps depend on the text and the pattern alone, and
// a repetition ends at the piece that is recorded (decision 43).

/// A search for a pattern in the bytes of a text, within the bounds of its evaluation.
struct BoundedSearch {
  let expression: RegularExpression
  let environment: Environment

  /// Steps charged for a search that matches at once.
  private static let stepsPerSearch = 6
  /// Retries per step.
  private static let retriesPerStep = 10
  private static let retries = [1_000, 10_000, 100_000, 1_000_000]
  /// Nanoseconds that an evaluation may spend on searching.
  private static let maximumTime = 25_000_000
  /// The part of them that is measured by the wall clock.
  private static let wallTime = 5_000_000
  /// The size of the first piece: starting places by bytes of text by bytes of pattern.
  ///
  /// Each further one is twice as large, up to a bound, so that a catastrophic search takes little more than the time.
  private static let workPerPiece = 1 << 24
  /// The size of a search that takes less than a millisecond in any case.
  private static let untimedWork = 1 << 20
  private static let maximumGrowth = 16

  /// The maximum size of a pattern in bytes: compiling some is quadratic.
  private static let longestPattern = 4096

  /// Returns a compiled pattern, charged to the evaluation once, whether it is cached or not: a cache is no state.
  static func compiled(
    _ pattern: String, _ options: RegexOptions, _ environment: Environment
  ) throws(ExpressionError) -> RegularExpression {
    if pattern.utf8.count > longestPattern { throw Environment.patternTooLong }
    if environment.account.pieces == 0 { environment.patterns.beginEvaluation() }
    try beginPiece(environment)
    if environment.patterns.charge(pattern, options) {
      try environment.step(100 * pattern.utf8.count / Environment.bytesPerStep)
    }
    let watch = Stopwatch(environment)
    let (expression, isNew) = try environment.patterns.expression(pattern, options)
    if isNew { try charge(watch, environment) }
    return expression
  }

  /// Searches for the first match from a byte on; `environment.searches` has its places.
  func hasMatch(in text: UnsafeBufferPointer<UInt8>, from start: Int) throws(ExpressionError) -> Bool {
    let count = text.count
    var piece = max(1, Self.workPerPiece / (max(count, 1) * max(expression.length, 16)))
    let longest = expression.isAnchoredAtStart ? count : piece * Self.maximumGrowth
    if expression.isAnchoredAtStart { piece = count }
    var next = start
    try environment.step(Self.stepsPerSearch)
    while true {
      let end = piece >= count - next ? count : text.characterBoundary(from: next + piece)
      if try hasMatch(in: text, startingIn: next..<end) { return true }
      if end == count {
        try environment.charge(characters: count - start)
        return false
      }
      piece = min(piece * 2, longest)
      next = end
    }
  }

  /// Searches for a match that starts in a range.
  ///
  /// The library does not report the number of retries, so a search starts with few and is repeated with ten times as
  /// many when they do not suffice: the charge approximates the work.
  private func hasMatch(
    in text: UnsafeBufferPointer<UInt8>, startingIn starts: Range<Int>
  ) throws(ExpressionError) -> Bool {
    for retries in Self.retries {
      let isFirst = retries == Self.retries[0]
      if !isFirst { try environment.step(retries / Self.retriesPerStep) }
      try Self.beginPiece(environment)
      let isTimed = !isFirst || environment.account.searching > 0 || isLong(text)
      let outcome = isTimed ? try timed(text, starts, retries) : untimed(text, starts, retries)
      switch outcome {
      case .match: return true
      case .mismatch: return false
      case .failure(let error): throw error
      case .limit: continue
      }
    }
    throw Environment.tooManyRetries
  }

  private func isLong(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    text.count > Self.untimedWork || text.count * text.count * max(expression.length, 16) > Self.untimedWork
  }

  private func untimed(
    _ text: UnsafeBufferPointer<UInt8>, _ starts: Range<Int>, _ retries: Int
  ) -> RegularExpression.Outcome {
    // The next search of this evaluation is timed.
    environment.account.searching = 1
    return expression.search(text, startingIn: starts, retries: retries, environment.searches)
  }

  private func timed(
    _ text: UnsafeBufferPointer<UInt8>, _ starts: Range<Int>, _ retries: Int
  ) throws(ExpressionError) -> RegularExpression.Outcome {
    let watch = Stopwatch(environment)
    let outcome = expression.search(text, startingIn: starts, retries: retries, environment.searches)
    try Self.charge(watch, environment)
    return outcome
  }

  /// Counts a piece; throws if a recorded evaluation ended there.
  private static func beginPiece(_ environment: Environment) throws(ExpressionError) {
    environment.account.pieces += 1
    if case .cut(let piece) = environment.account.searchBound, environment.account.pieces >= piece {
      throw Environment.tooMuchSearching
    }
  }

  private static func charge(_ watch: Stopwatch, _ environment: Environment) throws(ExpressionError) {
    environment.account.searching += watch.time
    guard environment.account.searching > maximumTime, case .time(let evaluation) = environment.account.searchBound
    else { return }
    environment.onSearchCut(evaluation, environment.account.pieces)
    throw Environment.tooMuchSearching
  }

  /// The time since the beginning of a search.
  private struct Stopwatch {
    private let clock: clockid_t
    private let longest: Int
    private let begin: Int

    init(_ environment: Environment) {
      let wallTimeLeft = BoundedSearch.wallTime - environment.account.searching
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

extension UnsafeBufferPointer<UInt8> {
  /// Returns the first character boundary at or after a byte of a text.
  func characterBoundary(from offset: Int) -> Int {
    var offset = offset
    while offset < count, self[offset] & 0xC0 == 0x80 { offset += 1 }
    return offset
  }
}
