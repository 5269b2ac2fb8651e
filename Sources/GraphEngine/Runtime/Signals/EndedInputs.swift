/// The parts of a signal whose input has ended; they resubscribe when it is restarted.
struct EndedInputs {
  /// The parts by the numbers of their inputs, so that removing one takes no longer where thousands of runs have one each.
  private var subscriptions: [Int: UpstreamSubscription] = [:]
  /// The number of inputs that have ended so far.
  private(set) var count = 0

  /// Returns the number of another ended input.
  mutating func next() -> Int {
    count += 1
    return count
  }

  mutating func add(_ subscription: UpstreamSubscription, _ number: Int) { subscriptions[number] = subscription }

  mutating func remove(_ number: Int) { subscriptions[number] = nil }

  mutating func removeAll() { subscriptions = [:] }

  /// Resubscribes the parts whose inputs are computed from restarted signals, in the order in which these ended.
  ///
  /// - Returns: The bodies that have to be started for that.
  func resubscribe(_ restarted: Set<String>) -> [RunningBody] {
    subscriptions.sorted { $0.key < $1.key }.compactMap { $0.value.resubscribe(restarted) }
  }

  /// Restores the saved number of ended inputs.
  mutating func restore(count: Int) { self.count = count }
}
