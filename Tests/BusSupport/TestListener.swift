package import Linux

/// Remembers what a rule brings.
package final class TestListener: BusMatchReceiver {
  package private(set) var answers: [BusError?] = []
  package private(set) var heard: [[BusValue]] = []
  private let hear: ([BusValue]) -> Void

  /// - Parameter hear: Told each message as well.
  package init(_ hear: @escaping ([BusValue]) -> Void = { _ in }) { self.hear = hear }

  package func matchAnswered(_ error: BusError?) { answers.append(error) }

  package func receive(_ message: borrowing BusMessage) {
    let values = (try? message.values()) ?? []
    heard.append(values)
    hear(values)
  }
}
