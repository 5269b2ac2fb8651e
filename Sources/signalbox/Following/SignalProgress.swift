/// The progress of a signal for a subscription: a few numbers, however many values there were.
struct SignalProgress {
  /// The number after which to go on; `nil` until it is known.
  var last: Int?
  /// The epoch of its numbers, where they outlive the daemon; `nil` where they end with it.
  var epoch: String?
  /// Whether its ending has been told.
  var hasEnded = false
  /// Values up to this number had come by an earlier connection; `nil` where there was none.
  private(set) var floor: Int?
  /// The number that the signal had come to when the connection was made, until what is retained of that has come.
  private var target: Int?

  init(last: Int? = nil, epoch: String? = nil) {
    self.last = last
    self.epoch = epoch
  }

  /// Takes the number that the signal has come to on a new connection.
  mutating func connect(at sequence: Int, epoch: String?) {
    // A lower number than before is one of a signal of the same name that began anew.
    if let last, sequence < last || epoch != self.epoch { self = SignalProgress() }
    self.epoch = epoch
    if sequence > last ?? sequence { hasEnded = false }
    floor = last
    target = sequence
    if sequence == 0 { last = 0 }
  }

  /// Takes a value.
  ///
  /// - Returns: the values missing before it that a new connection should have brought.
  mutating func take(_ sequence: Int) -> (from: Int, oldest: Int)? {
    hasEnded = false
    defer { last = sequence }
    guard let last, floor != nil, target != nil, sequence > last + 1 else { return nil }
    return (last, sequence)
  }

  /// Takes note that all that was retained has come.
  ///
  /// - Returns: the values of a break that are missing at its end.
  mutating func settle() -> (from: Int, oldest: Int)? {
    guard let target else { return nil }
    defer {
      self.target = nil
      last = max(last ?? 0, target)
    }
    guard let last, floor != nil, target > last else { return nil }
    return (last, target + 1)
  }

  mutating func skip(_ count: Int) { if let last { self.last = last + count } }

  mutating func reach(_ sequence: Int) { if let last { self.last = max(last, sequence) } }
}
