import Queues
import ReactiveCore
import SignalGraph

/// The messages that clients have sent lately into a graph, each with its answer, so that one that is sent again does
/// nothing.
struct MessageLedger {
  /// The answer to a message: the number of the last value that it made on its signal, if it made one.
  struct Answer: Equatable {
    let signal: String
    let sequence: UInt64?
  }

  private struct Place {
    let message: [UInt8]
    let time: Int64
    /// How many bytes it takes in the state.
    let size: Int
  }

  /// By the bytes of their names: two that only look alike are two.
  private var answers: [[UInt8]: Answer] = [:]
  private var places = FirstInFirstOut<Place>()
  /// All of them as the state has them: to write so many down takes too long between two turns.
  private var written: [UInt8] = []
  /// Where the first that is remembered stands there.
  private var front = 0

  /// The answer to a message that was carried out before.
  func answer(to message: String) -> Answer? { answers[Array(message.utf8)] }

  var count: Int { answers.count }

  /// Takes note of a message that has been carried out.
  ///
  /// - Parameter time: In microseconds since 1970.
  mutating func note(_ message: String, _ answer: Answer, at time: Int64, within bounds: Durability.MessageIDs) {
    let oldest = time - Int64(bounds.age / .microseconds(1))
    while let first = places.first, first.time < oldest || answers.count >= bounds.count { forgetFirst() }
    remember(Array(message.utf8), answer, at: time)
  }

  private mutating func remember(_ message: [UInt8], _ answer: Answer, at time: Int64) {
    if let first = answers.updateValue(answer, forKey: message) {
      answers[message] = first
      return
    }
    var writer = StateWriter()
    writer.blob(message)
    writer.signed(time)
    writer.text(answer.signal)
    answer.sequence.store(in: &writer)
    places.append(Place(message: message, time: time, size: writer.bytes.count))
    written += writer.bytes
  }

  private mutating func forgetFirst() {
    guard let first = places.popFirst() else { return }
    answers[first.message] = nil
    front += first.size
    guard front > 1 << 16, front * 2 > written.count else { return }
    written.removeFirst(front)
    front = 0
  }
}

extension MessageLedger: Storable {
  func store(in writer: inout StateWriter) {
    writer.count(places.count)
    writer.append(written[front...])
  }

  init(from reader: inout StateReader) throws(StateError) {
    for _ in 0..<(try reader.count()) {
      let (message, time) = (Array(try reader.blob()), try reader.signed())
      remember(message, Answer(signal: try reader.text(), sequence: try UInt64?(from: &reader)), at: time)
    }
  }
}
