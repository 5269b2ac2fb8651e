import GraphModel

/// The recorded values seen so far, to skip duplicates from overlapping subscriptions.
package struct ReceivedValues {
  private var last: [String: (time: Duration, number: Int)] = [:]

  package init() {}

  /// Records an event, and returns false if it is a value seen before.
  package mutating func admit(_ event: RecordedEvent) -> Bool {
    guard event.isReceived, case .value = event.content, let number = event.sequence else { return true }
    let received = (event.time.duration, number)
    if let last = last[event.signal] {
      if received == last { return false }
      // Retained values may repeat values that were received live.
      if event.isRetained, received < last { return false }
    }
    last[event.signal] = received
    return true
  }
}
