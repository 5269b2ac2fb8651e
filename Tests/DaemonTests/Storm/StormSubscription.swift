/// A subscription and its sources.
final class StormSubscription {
  let client: Int
  let wish: StormWish
  var remaining: Int?
  /// By signal names: a private run, or `nil` for the shared one.
  var attachments: [String: StormRun?] = [:]
  /// By signal names, after their first value: the newest of the others, which waits.
  var waiting: [String: (value: Int, sequence: Int)?] = [:]
  var isOver = false

  init(_ client: Int, _ wish: StormWish) {
    (self.client, self.wish, remaining) = (client, wish, wish.take)
  }
}

/// A subscriber's private run of a cold signal.
final class StormRun {
  var body: StormBody?
  var sequence: Int

  init(after sequence: Int) { self.sequence = sequence }
}
