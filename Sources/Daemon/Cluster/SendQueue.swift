import Base
import StateLog

/// Everything that waits for the sends of this node to a home: senders that may go on, and answers that come after theirs.
struct SendQueue {
  private var waiting = WaitingSenders()
  private var answers = FirstInFirstOut<(number: UInt64, answer: (StorageError?) -> Void)>()
  /// The number of the last send.
  private var last: UInt64 = 0
  /// The number of the last send that has ended: they end in order.
  private var ended: UInt64 = 0

  mutating func append(_ sender: any Sender) { waiting.append(sender) }

  mutating func sent(_ number: UInt64) { last = number }

  /// Runs an action once the sends so far have ended.
  mutating func afterSends(_ answer: @escaping (StorageError?) -> Void) {
    if ended >= last { answer(nil) } else { answers.append((last, answer)) }
  }

  /// Takes note of the end of a send.
  ///
  /// - Returns: The answers and the senders that waited for it.
  mutating func didEnd(_ number: UInt64) -> (answers: [(StorageError?) -> Void], senders: [any Sender]) {
    ended = number
    var due: [(StorageError?) -> Void] = []
    while let first = answers.first, first.number <= number {
      due.append(first.answer)
      _ = answers.popFirst()
    }
    return (due, waiting.take())
  }

  /// Answers everything that waits with an error.
  mutating func endAll(_ error: StorageError) {
    ended = last
    while let (_, answer) = answers.popFirst() { answer(error) }
    for sender in waiting.take() { sender.proceed() }
  }
}
