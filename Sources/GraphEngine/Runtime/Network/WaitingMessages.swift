import Base
import Signals

/// The messages that wait to be published, in order.
///
/// While their connection is away, a retained message takes the place of an earlier one with its topic.
struct WaitingMessages {
  private var order = FirstInFirstOut<UInt64>()
  private var messages: [UInt64: PublishedMessage] = [:]
  /// The messages that replace earlier ones, by their topics.
  private var places: [ExactText: UInt64] = [:]
  /// The messages that were taken back, which come before the others; the last one first.
  private var takenBack: [PublishedMessage] = []

  var count: Int { messages.count + takenBack.count }
  var isEmpty: Bool { count == 0 }

  /// Returns true if a message to the topic waits that the next one replaces.
  func hasMessage(to topic: String) -> Bool {
    let topic = ExactText(topic)
    return places[topic].map { messages[$0] != nil } == true || takenBack.contains { ExactText($0.topic) == topic }
  }

  /// Appends a message.
  ///
  /// - Parameter isReplacing: True if it makes earlier ones with its topic needless.
  mutating func append(_ message: PublishedMessage, isReplacing: Bool) {
    if isReplacing {
      let topic = ExactText(message.topic)
      takenBack.removeAll { ExactText($0.topic) == topic }
      if let place = places[topic], messages[place] != nil {
        messages[place] = message
        return
      }
      places[topic] = message.serial
    }
    order.append(message.serial)
    messages[message.serial] = message
  }

  /// Takes a message back that had been taken out, unless a later one makes it needless.
  mutating func takeBack(_ message: PublishedMessage, isReplacing: Bool) {
    if isReplacing {
      let topic = ExactText(message.topic)
      if places[topic] != nil
        || takenBack.contains(where: { ExactText($0.topic) == topic && $0.serial > message.serial })
      {
        return
      }
      takenBack.removeAll { ExactText($0.topic) == topic }
    }
    let place = takenBack.firstIndex { $0.serial < message.serial } ?? takenBack.endIndex
    takenBack.insert(message, at: place)
  }

  /// Begins to replace: of each topic only the newest message remains.
  mutating func replaceOlder() {
    let waiting = all
    self = WaitingMessages()
    for message in waiting { append(message, isReplacing: true) }
  }

  /// Ends replacing: from now on each message is sent.
  mutating func stopReplacing() { places = [:] }

  mutating func popFirst() -> PublishedMessage? {
    if let message = takenBack.popLast() { return message }
    while let serial = order.popFirst() {
      guard let message = messages.removeValue(forKey: serial) else { continue }
      let topic = ExactText(message.topic)
      if places[topic] == serial { places[topic] = nil }
      return message
    }
    return nil
  }

  /// The lowest serial number of all.
  var firstSerial: UInt64? { takenBack.last?.serial ?? order.all.first { messages[$0] != nil } }

  private var all: [PublishedMessage] { takenBack.reversed() + order.all.compactMap { messages[$0] } }
}

extension WaitingMessages: StateCodable {
  func encode(to writer: inout StateEncoder) { all.encode(to: &writer) }

  init(from reader: inout StateDecoder) throws(StateError) {
    for message in try [PublishedMessage](from: &reader) { append(message, isReplacing: false) }
  }
}
