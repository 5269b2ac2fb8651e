import GraphEngine
import GraphModel
import JSON
import ReactiveCore

/// An event of a watched or followed file, the system journal, a program or a bus.
enum WorldEvent {
  case change(ContentChange)
  case tail(TailEvent)
  case glob(GlobEvent)
  /// A file below a watched folder.
  case folder(FolderEvent)
  case systemJournal(SystemJournalEvent)
  case program(ProgramEvent)
  case bus(BusEvent)
  /// The reply to a bus request.
  case answer(BusAnswer)
  /// A source on the network.
  case network(NetworkEvent)
  /// The answer to a task that an adapter carried out.
  case task(TaskAnswer)
}

extension WorldEvent {
  /// True for an event that is not repeated and that a waiting operation depends on: a program has ended, a file has
  /// changed, a bus has replied.
  var isDeliveredOnce: Bool {
    switch self {
    case .change, .program(.ended), .answer, .network(.failed), .network(.completed): true
    case .task(let answer): answer.isLast
    case .program(.output), .tail, .glob, .folder, .systemJournal, .bus, .network(.items): false
    }
  }
}

extension WorldEvent: StateCodable {
  func encode(to writer: inout StateEncoder) {
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
      place.encode(to: &writer)
    case .glob(.looked): writer.byte(21)
    case .glob(.began(let place, let path)):
      writer.byte(22)
      place.encode(to: &writer)
      writer.text(path)
    case .glob(.tail(let event, let numbers)):
      writer.byte(23)
      numbers.encode(to: &writer)
      WorldEvent.tail(event).encode(to: &writer)
    case .glob(.ended(let numbers)):
      writer.byte(24)
      numbers.encode(to: &writer)
    case .systemJournal(let event):
      writer.byte(20)
      event.encode(to: &writer)
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
        value.encode(to: &writer)
      }
    case .bus(.arguments(let values)):
      writer.byte(11)
      values.encode(to: &writer)
    case .bus(.gone): writer.byte(12)
    case .bus(.refused(let failure)):
      writer.byte(13)
      failure.encode(to: &writer)
    case .answer(.returned(let values)):
      writer.byte(14)
      values.encode(to: &writer)
    case .answer(.failed(let failure)):
      writer.byte(15)
      failure.encode(to: &writer)
    case .network(let event):
      writer.byte(25)
      event.encode(to: &writer)
    case .task(let answer):
      writer.byte(26)
      answer.encode(to: &writer)
    case .folder(let event):
      writer.byte(27)
      event.encode(to: &writer)
    }
  }

  init(from reader: inout StateDecoder) throws(StateError) {
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
      guard case .tail(let event) = try WorldEvent(from: &reader) else { throw StateError("invalid event of a file") }
      self = .glob(.tail(event, of: numbers))
    case 24: self = .glob(.ended(try FileNumbers(from: &reader)))
    case 25: self = .network(try NetworkEvent(from: &reader))
    case 26: self = .task(try TaskAnswer(from: &reader))
    case 27: self = .folder(try FolderEvent(from: &reader))
    default: throw StateError("unknown kind of event")
    }
  }

  private static func values(from reader: inout StateDecoder) throws(StateError) -> [String: JSONValue] {
    var values: [String: JSONValue] = [:]
    for _ in 0..<(try reader.count()) {
      let name = try reader.text()
      values[name] = try JSONValue(from: &reader)
    }
    return values
  }
}
