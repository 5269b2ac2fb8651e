import Linux

/// Something that clients can bring about as often as they like, and that is worth a line a second.
struct Repetition {
  private var lastSaid: MonotonicInstant?
  private var unsaid = 0

  /// How often it has happened unsaid since the last line, if it is to be said now.
  mutating func next(at now: MonotonicInstant) -> Int? {
    if let lastSaid, now - lastSaid < .seconds(1) {
      unsaid += 1
      return nil
    }
    defer { unsaid = 0 }
    lastSaid = now
    return unsaid
  }
}
