/// The progress of one signal in a subscription, in constant space.
struct SignalProgress {
  /// The number to resume after; `nil` until it is known.
  var last: Int?
  /// The epoch of its numbers if they outlive the daemon; otherwise `nil`.
  var epoch: String?
  /// True once its ending has been received.
  var hasEnded = false
  /// The number up to which values were received on earlier connections; `nil` on the first one.
  private(set) var floor: Int?
  /// The signal's number at the time of the connection, until the retained values up to it have been received.
  private var target: Int?

  init(last: Int? = nil, epoch: String? = nil) {
    self.last = last
    self.epoch = epoch
  }

  /// Records the signal's number on a new connection.
  mutating func connect(at sequence: Int, epoch: String?) {
    // A lower number than before belongs to a signal of the same name that has restarted.
    if let last, sequence < last || epoch != self.epoch { self = SignalProgress() }
    self.epoch = epoch
    if sequence > last ?? sequence { hasEnded = false }
    floor = last
    target = sequence
    if sequence == 0 { last = 0 }
  }

  /// Records a value.
  ///
  /// - Returns: The values missing before it that a new connection should have replayed.
  mutating func take(_ sequence: Int) -> (from: Int, oldest: Int)? {
    hasEnded = false
    defer { last = sequence }
    guard let last, floor != nil, target != nil, sequence > last + 1 else { return nil }
    return (last, sequence)
  }

  /// Notes that all retained values have been received.
  ///
  /// - Returns: The values of an interruption that are missing at its end.
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
