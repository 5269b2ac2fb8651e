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
  }

  /// By the bytes of their names: two that only look alike are two.
  private var answers: [[UInt8]: Answer] = [:]
  private var places = FirstInFirstOut<Place>()

  /// The answer to a message that was carried out before.
  func answer(to message: String) -> Answer? { answers[Array(message.utf8)] }

  var count: Int { answers.count }

  /// Takes note of a message that has been carried out.
  ///
  /// - Parameter time: In microseconds since 1970.
  mutating func note(_ message: String, _ answer: Answer, at time: Int64, within bounds: Durability.MessageIDs) {
    let oldest = time - Int64(bounds.age / .microseconds(1))
    while let first = places.first, first.time < oldest || answers.count >= bounds.count {
      answers[first.message] = nil
      _ = places.popFirst()
    }
    let message = Array(message.utf8)
    guard answers.updateValue(answer, forKey: message) == nil else { return }
    places.append(Place(message: message, time: time))
  }
}

extension MessageLedger: Storable {
  func store(in writer: inout StateWriter) {
    let places = places.all
    writer.count(places.count)
    for place in places {
      writer.blob(place.message)
      writer.signed(place.time)
      writer.text(answers[place.message]?.signal ?? "")
      (answers[place.message]?.sequence).store(in: &writer)
    }
  }

  init(from reader: inout StateReader) throws(StateError) {
    for _ in 0..<(try reader.count()) {
      let place = Place(message: Array(try reader.blob()), time: try reader.signed())
      answers[place.message] = Answer(signal: try reader.text(), sequence: try UInt64?(from: &reader))
      places.append(place)
    }
  }
}
