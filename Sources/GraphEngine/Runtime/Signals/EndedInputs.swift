/// The parts of a signal whose input has ended; they resubscribe when it is restarted.
struct EndedInputs {
  /// The parts in the order in which their inputs ended.
  private var subscriptions: [UpstreamSubscription] = []
  /// The number of inputs that have ended so far.
  private(set) var count = 0

  /// Returns the number of another ended input.
  mutating func next() -> Int {
    count += 1
    return count
  }

  mutating func append(_ subscription: UpstreamSubscription) { subscriptions.append(subscription) }

  mutating func remove(_ subscription: UpstreamSubscription) { subscriptions.removeAll { $0 === subscription } }

  mutating func removeAll() { subscriptions = [] }

  /// Resubscribes the parts whose inputs are computed from restarted signals.
  ///
  /// - Returns: The bodies that have to be started for that.
  func resubscribe(_ restarted: Set<String>) -> [RunningBody] { subscriptions.compactMap { $0.resubscribe(restarted) } }

  /// Restores the saved number of ended inputs.
  mutating func restore(count: Int) { self.count = count }

  /// Sorts the parts into the order in which their inputs ended, once all are present.
  mutating func sort() { subscriptions.sort { ($0.registration ?? 0) < ($1.registration ?? 0) } }
}
