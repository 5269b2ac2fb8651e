import Linux

/// The time of this turn: all that happens in one turn of the loop happens at the same time.
final class TurnClock {
  private(set) var now = MonotonicInstant.now()

  /// A turn begins, or goes on after others were served.
  func readTime() { now = .now() }
}
