import Linux

/// The share of an iteration that a connection uses up before others are served.
struct IterationShare {
  /// The most bytes of answers: a line of a few bytes may request as much as there are signals, as fast as it is read,
  /// or even without anything being read.
  private static let mostAnswers = LoopIteration.comfortableSize
  /// The most bytes of lines; less than this is read in an iteration.
  private static let mostLines = 1 << 17
  private static let time = Duration.milliseconds(5)
  /// The number of relayed values between two looks at the clock.
  private static let relaysPerLook = 8

  private var end = MonotonicInstant(nanoseconds: 0)
  /// The bytes of the lines handled so far.
  private var lines = 0
  /// The values relayed since the last look at the clock.
  private var relays = 0
  /// True if its time was used up; the connection is then served behind those that need less.
  private(set) var isTimeUp = false

  mutating func begin() { self = IterationShare(end: .now() + Self.time) }

  private init(end: MonotonicInstant) { self.end = end }

  init() {}

  /// Counts a line that has been handled.
  mutating func add(_ bytes: Int, isRelayed: Bool) {
    lines += bytes
    if isRelayed {
      relays += 1
      if relays < Self.relaysPerLook { return }
    }
    relays = 0
    if .now() >= end { isTimeUp = true }
  }

  /// Returns true once others are to be served.
  ///
  /// - Parameter answered: The bytes of answers since the share began.
  func isUsedUp(answered: Int) -> Bool { isTimeUp || answered >= Self.mostAnswers || lines >= Self.mostLines }
}
