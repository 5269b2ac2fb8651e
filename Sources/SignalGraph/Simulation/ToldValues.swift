/// The values of a recording that have come, so that one that two subscriptions brought counts once.
package struct ToldValues {
  private var last: [String: (time: Duration, number: Int)] = [:]

  package init() {}

  /// Takes note of an event, and says whether it is a value that has come before.
  package mutating func haveAgain(_ event: RecordedEvent) -> Bool {
    guard event.isTold, case .value = event.content, let number = event.sequence else { return false }
    let told = (event.time.duration, number)
    if let last = last[event.signal] {
      if told == last { return true }
      // Retained values may be told again that came live.
      if event.isRetained, told < last { return true }
    }
    last[event.signal] = told
    return false
  }
}
