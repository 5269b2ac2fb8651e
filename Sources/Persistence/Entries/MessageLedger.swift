import Base
import GraphModel
import ReactiveCore

/// The recent client messages to a graph with their answers, so that a repeated message has no effect.
struct MessageLedger {
  /// The answer to a message: the number of the signal's last value from it, if there was one.
  struct Answer: Equatable {
    let signal: String
    let sequence: UInt64?
  }

  private struct Place {
    let message: [UInt8]
    let time: Int64
    /// The encoded size in bytes.
    let size: Int
  }

  /// Keyed by the bytes of the IDs, so that canonically equivalent strings are distinct.
  private var answers: [[UInt8]: Answer] = [:]
  private var places = FirstInFirstOut<Place>()
  /// All messages in encoded form: encoding that many at once would take too long within one iteration.
  private var written: [UInt8] = []
  /// The offset of the first valid message.
  private var front = 0

  /// Returns the answer to a message that was performed before.
  func answer(to message: String) -> Answer? { answers[Array(message.utf8)] }

  var count: Int { answers.count }

  /// Records a message that has been performed.
  ///
  /// - Parameter time: In microseconds since 1970.
  mutating func note(_ message: String, _ answer: Answer, at time: Int64, within bounds: Durability.MessageIDs) {
    let oldest = time - Int64(bounds.age / .microseconds(1))
    while let first = places.first, first.time < oldest || answers.count >= bounds.count { discardFirst() }
    remember(Array(message.utf8), answer, at: time)
  }

  private mutating func remember(_ message: [UInt8], _ answer: Answer, at time: Int64) {
    if let first = answers.updateValue(answer, forKey: message) {
      answers[message] = first
      return
    }
    var writer = StateEncoder()
    writer.blob(message)
    writer.signed(time)
    writer.text(answer.signal)
    answer.sequence.encode(to: &writer)
    places.append(Place(message: message, time: time, size: writer.bytes.count))
    written += writer.bytes
  }

  private mutating func discardFirst() {
    guard let first = places.popFirst() else { return }
    answers[first.message] = nil
    front += first.size
    guard front > 1 << 16, front * 2 > written.count else { return }
    written.removeFirst(front)
    front = 0
  }
}

extension MessageLedger: StateCodable {
  func encode(to writer: inout StateEncoder) {
    writer.count(places.count)
    writer.append(written[front...])
  }

  init(from reader: inout StateDecoder) throws(StateError) {
    for _ in 0..<(try reader.count()) {
      let (message, time) = (Array(try reader.blob()), try reader.signed())
      remember(message, Answer(signal: try reader.text(), sequence: try UInt64?(from: &reader)), at: time)
    }
  }
}
