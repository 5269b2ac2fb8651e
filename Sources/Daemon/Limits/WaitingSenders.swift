import Base

/// A sender that can be paused.
protocol Sender: AnyObject {
  /// Handles what had to wait.
  func proceed()
}

/// Senders that wait for space in another client's send buffer, or for their rate.
///
/// They are not retained: a sender that is closed no longer waits.
struct WaitingSenders {
  private struct Place {
    weak var sender: (any Sender)?
  }

  private var places = FirstInFirstOut<Place>()
  /// The number of entries at which those of closed senders are removed.
  private var tidyAt = 64

  var isEmpty: Bool { places.isEmpty }

  mutating func append(_ sender: any Sender) {
    if places.count >= tidyAt {
      places.removeAll { $0.sender == nil }
      tidyAt = max(64, 2 * places.count)
    }
    places.append(Place(sender: sender))
  }

  /// Takes the senders that have waited longest, to be resumed.
  ///
  /// A resumed sender may make others wait here, so the caller resumes them after this has returned.
  mutating func take(_ count: Int = .max) -> [any Sender] {
    (0..<min(count, places.count)).compactMap { _ in places.popFirst()?.sender }
  }
}
