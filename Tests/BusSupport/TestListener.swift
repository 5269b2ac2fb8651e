package import Linux

/// Records the messages of a match rule.
package final class TestListener: BusMatchReceiver {
  package private(set) var answers: [BusError?] = []
  package private(set) var heard: [[BusValue]] = []
  private let hear: ([BusValue]) -> Void

  /// - Parameter hear: Called with each message as well.
  package init(_ hear: @escaping ([BusValue]) -> Void = { _ in }) { self.hear = hear }

  package func matchAnswered(_ error: BusError?) { answers.append(error) }

  package func receive(_ message: borrowing BusMessage) {
    let values = (try? message.values()) ?? []
    heard.append(values)
    hear(values)
  }
}
