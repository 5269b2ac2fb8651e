import JSON
import ReactiveCore
import SignalGraph

/// An event of a file that is watched or followed, of the journal of systemd, of a program, or of a bus.
enum WorldEvent {
  case change(ContentChange)
  case tail(TailEvent)
  case glob(GlobEvent)
  case systemJournal(SystemJournalEvent)
  case program(ProgramEvent)
  case bus(BusEvent)
  /// The answer to something that was asked of a bus.
  case answer(BusAnswer)
}

extension WorldEvent {
  /// Whether something waits for it that would wait for ever without: a program has ended, a file is another one, a bus
  /// has answered.
  var isToldOnce: Bool {
    switch self {
    case .change, .program(.ended), .answer: true
    case .program(.output), .tail, .glob, .systemJournal, .bus: false
    }
  }
}

extension WorldEvent: Storable {
  func store(in writer: inout StateWriter) {
    switch self {
    case .change(.underWay): writer.byte(0)
    case .change(.done): writer.byte(1)
    case .tail(.appended(let bytes)):
      writer.byte(2)
      writer.blob(bytes)
    case .tail(.rotated): writer.byte(3)
    case .tail(.truncated): writer.byte(4)
    case .tail(.reached(let place)):
      writer.byte(9)
      place.store(in: &writer)
    case .glob(.looked): writer.byte(21)
    case .glob(.began(let place, let path)):
      writer.byte(22)
      place.store(in: &writer)
      writer.text(path)
    case .glob(.tail(let event, let numbers)):
      writer.byte(23)
      numbers.store(in: &writer)
      WorldEvent.tail(event).store(in: &writer)
    case .glob(.ended(let numbers)):
      writer.byte(24)
      numbers.store(in: &writer)
    case .systemJournal(let event):
      writer.byte(20)
      event.store(in: &writer)
    case .program(.output(let bytes)):
      writer.byte(5)
      writer.blob(bytes)
    case .program(.ended(.exited(let status))):
      writer.byte(6)
      writer.signed(Int64(status))
    case .program(.ended(.killed(let signal))):
      writer.byte(7)
      writer.signed(Int64(signal))
    case .program(.ended(.notStarted(let reason))):
      writer.byte(8)
      writer.text(reason)
    case .bus(.properties(let values)):
      writer.byte(10)
      writer.count(values.count)
      for (name, value) in values.sorted(by: { $0.key < $1.key }) {
        writer.text(name)
        value.store(in: &writer)
      }
    case .bus(.arguments(let values)):
      writer.byte(11)
      values.store(in: &writer)
    case .bus(.gone): writer.byte(12)
    case .bus(.refused(let failure)):
      writer.byte(13)
      failure.store(in: &writer)
    case .answer(.returned(let values)):
      writer.byte(14)
      values.store(in: &writer)
    case .answer(.failed(let failure)):
      writer.byte(15)
      failure.store(in: &writer)
    }
  }

  init(from reader: inout StateReader) throws(StateError) {
    switch try reader.byte() {
    case 0: self = .change(.underWay)
    case 1: self = .change(.done)
    case 2: self = .tail(.appended(Array(try reader.blob())))
    case 3: self = .tail(.rotated)
    case 4: self = .tail(.truncated)
    case 5: self = .program(.output(Array(try reader.blob())))
    case 6: self = .program(.ended(.exited(Int32(truncatingIfNeeded: try reader.signed()))))
    case 7: self = .program(.ended(.killed(Int32(truncatingIfNeeded: try reader.signed()))))
    case 8: self = .program(.ended(.notStarted(try reader.text())))
    case 9: self = .tail(.reached(try TailPlace(from: &reader)))
    case 10: self = .bus(.properties(try Self.values(from: &reader)))
    case 11: self = .bus(.arguments(try [JSONValue](from: &reader)))
    case 12: self = .bus(.gone)
    case 13: self = .bus(.refused(try SignalFailure(from: &reader)))
    case 14: self = .answer(.returned(try [JSONValue](from: &reader)))
    case 15: self = .answer(.failed(try SignalFailure(from: &reader)))
    case 20: self = .systemJournal(try SystemJournalEvent(from: &reader))
    case 21: self = .glob(.looked)
    case 22: self = .glob(.began(try TailPlace(from: &reader), path: try reader.text()))
    case 23:
      let numbers = try FileNumbers(from: &reader)
      guard case .tail(let event) = try WorldEvent(from: &reader) else { throw StateError("no event of a file") }
      self = .glob(.tail(event, of: numbers))
    case 24: self = .glob(.ended(try FileNumbers(from: &reader)))
    default: throw StateError("an event of an unknown kind")
    }
  }

  private static func values(from reader: inout StateReader) throws(StateError) -> [String: JSONValue] {
    var values: [String: JSONValue] = [:]
    for _ in 0..<(try reader.count()) {
      let name = try reader.text()
      values[name] = try JSONValue(from: &reader)
    }
    return values
  }
}
