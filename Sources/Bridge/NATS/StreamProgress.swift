internal import Base

/// The part of a stream that the daemon has: everything up to its position, without a gap.
///
/// The daemon answers messages one by one, and may refuse one for now and take a later one.
struct StreamProgress {
  private(set) var position: StreamPosition?
  /// The numbers of the messages that have come, in their order, from the first one on that the daemon has not taken.
  private var arrived = FirstInFirstOut<UInt64>()
  /// Those of them that the daemon has taken.
  private var taken: Set<UInt64> = []

  init(_ position: StreamPosition?) { self.position = position }

  /// Begins to read a stream behind the position.
  ///
  /// - Parameter isAnother: True if the position is one of a former stream of its name.
  mutating func begin(created: Int64?, isAnother: Bool) {
    position =
      isAnother ? StreamPosition(0, created: created) : position.map { StreamPosition($0.number, created: created) }
    arrived = FirstInFirstOut()
    taken = []
  }

  /// Notes a message that has come; returns false if the daemon has it.
  mutating func arrive(_ number: UInt64) -> Bool {
    if let position, number <= position.number { return false }
    arrived.append(number)
    return true
  }

  /// Notes that the daemon has taken a message.
  mutating func take(_ number: UInt64, created: Int64?) {
    guard position.map({ $0.number < number && $0.created == created }) ?? true else { return }
    taken.insert(number)
    while let first = arrived.first, taken.remove(first) != nil {
      _ = arrived.popFirst()
      position = StreamPosition(first, created: created)
    }
  }
}
