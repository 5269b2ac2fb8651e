import Queues

/// Somebody who sends, and can be made to wait.
protocol Sender: AnyObject {
  /// Carries out what had to wait for somebody else.
  func goOn()
}

/// Senders that wait until they may go on: for room in somebody else's outbox, or for what a rate allows.
///
/// It does not keep them: one that is closed waits no more.
struct WaitingSenders {
  private struct Place {
    weak var sender: (any Sender)?
  }

  private var places = FirstInFirstOut<Place>()
  /// How many places there may be before those are looked for whose clients have gone.
  private var tidyAt = 64

  var isEmpty: Bool { places.isEmpty }

  mutating func append(_ sender: any Sender) {
    if places.count >= tidyAt {
      places.removeAll { $0.sender == nil }
      tidyAt = max(64, 2 * places.count)
    }
    places.append(Place(sender: sender))
  }

  /// Lets those go on who have waited longest.
  mutating func release(_ count: Int = .max) {
    for _ in 0..<min(count, places.count) { places.popFirst()?.sender?.goOn() }
  }
}
