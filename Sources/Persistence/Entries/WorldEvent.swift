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
    case .change(.underWay): writer.kind(0)
    case .change(.done): writer.kind(1)
    case .tail(.appended(let bytes)): writer.kind(2, bytes)
    case .tail(.rotated): writer.kind(3)
    case .tail(.truncated): writer.kind(4)
    case .tail(.reached(let place)): writer.kind(9, place)
    case .glob(.looked): writer.kind(21)
    case .glob(.began(let place, let path)): writer.kind(22, place, path)
    case .glob(.tail(let event, let numbers)): writer.kind(23, numbers, WorldEvent.tail(event))
    case .glob(.ended(let numbers)): writer.kind(24, numbers)
    case .systemJournal(let event): writer.kind(20, event)
    case .program(.output(let bytes)): writer.kind(5, bytes)
    case .program(.ended(.exited(let status))): writer.kind(6, status)
    case .program(.ended(.killed(let signal))): writer.kind(7, signal)
    case .program(.ended(.notStarted(let reason))): writer.kind(8, reason)
    case .bus(.properties(let values)): writer.kind(10, values)
    case .bus(.arguments(let values)): writer.kind(11, values)
    case .bus(.gone): writer.kind(12)
    case .bus(.refused(let failure)): writer.kind(13, failure)
    case .answer(.returned(let values)): writer.kind(14, values)
    case .answer(.failed(let failure)): writer.kind(15, failure)
    case .network(let event): writer.kind(25, event)
    case .task(let answer): writer.kind(26, answer)
    case .folder(let event): writer.kind(27, event)
    }
  }

  init(from reader: inout StateDecoder) throws(StateError) {
    switch try reader.byte() {
    case 0: self = .change(.underWay)
    case 1: self = .change(.done)
    case 2: self = .tail(.appended(try [UInt8](from: &reader)))
    case 3: self = .tail(.rotated)
    case 4: self = .tail(.truncated)
    case 5: self = .program(.output(try [UInt8](from: &reader)))
    case 6: self = .program(.ended(.exited(try Int32(from: &reader))))
    case 7: self = .program(.ended(.killed(try Int32(from: &reader))))
    case 8: self = .program(.ended(.notStarted(try reader.text())))
    case 9: self = .tail(.reached(try TailPlace(from: &reader)))
    case 10: self = .bus(.properties(try [String: JSONValue](from: &reader)))
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
}
