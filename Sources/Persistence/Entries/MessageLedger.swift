import Base
import GraphModel
import Signals

/// The recent client messages to a graph with their answers, so that a repeated message has no effect.
struct MessageLedger {
  /// The answer to a message: the number of the signal's last value from it, if there was one.
  struct Answer: Equatable {
    let signal: String
    let sequence: UInt64?
  }

  /// The bytes of an ID, so that canonically equivalent strings are distinct.
  private struct Key: Hashable {
    let bytes: [UInt8]

    init(_ message: String) { bytes = Array(message.utf8) }
    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Hashes all bytes at once: one after the other, as arrays do, took a tenth of the time of a forwarded value.
    func hash(into hasher: inout Hasher) { bytes.withUnsafeBytes { hasher.combine(bytes: $0) } }
  }

  private struct Place {
    let message: Key
    let time: Int64
    /// The encoded size in bytes.
    let size: Int
  }

  private var answers: [Key: (answer: Answer, time: Int64)] = [:]
  private var places = FirstInFirstOut<Place>()
  /// All messages in encoded form: encoding that many at once would take too long within one iteration.
  private var written: [UInt8] = []
  /// The offset of the first valid message.
  private var front = 0

  /// Returns the answer to a message that was performed before, and is still remembered at a time.
  func answer(to message: String, at time: Int64, within bounds: Durability.MessageIDs) -> Answer? {
    let key = Key(message)
    guard let (answer, noted) = answers[key] else { return nil }
    let oldest = Self.oldest(at: time, within: bounds)
    if noted >= oldest { return answer }
    // Noting it again discards it first, unless one before it is younger, since the clock was set back.
    for place in places.all {
      if place.time >= oldest { return answer }
      if place.message == key { break }
    }
    return nil
  }

  private static func oldest(at time: Int64, within bounds: Durability.MessageIDs) -> Int64 {
    time - Int64(bounds.age / .microseconds(1))
  }

  var count: Int { answers.count }

  /// Records a message that has been performed.
  ///
  /// - Parameter time: In microseconds since 1970.
  mutating func note(_ message: String, _ answer: Answer, at time: Int64, within bounds: Durability.MessageIDs) {
    let oldest = Self.oldest(at: time, within: bounds)
    while let first = places.first, first.time < oldest || answers.count >= bounds.count { discardFirst() }
    remember(Key(message), answer, at: time)
  }

  private mutating func remember(_ message: Key, _ answer: Answer, at time: Int64) {
    if let first = answers.updateValue((answer, time), forKey: message) {
      answers[message] = first
      return
    }
    var writer = StateEncoder()
    writer.blob(message.bytes)
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
      let (message, time) = (Key(Array(try reader.blob())), try reader.signed())
      remember(message, Answer(signal: try reader.text(), sequence: try UInt64?(from: &reader)), at: time)
    }
  }
}
