import GraphEngine
import GraphModel
import JSON
import Signals

/// An event from outside, as the log has it.
enum WorldEvent {
  case change(ContentChange)
  case tail(TailEvent)
  case glob(GlobEvent)
  /// A file below a watched folder.
  case folder(FolderEvent)
  case systemJournal(SystemJournalEvent)
  /// An encoded event of any other query, by its name.
  case named(String, [UInt8])
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
  init<Query: WorldQuery>(_ event: Query.Event, of query: Query.Type) {
    switch event {
    case let event as ContentChange: self = .change(event)
    case let event as TailEvent: self = .tail(event)
    case let event as GlobEvent: self = .glob(event)
    case let event as FolderEvent: self = .folder(event)
    case let event as SystemJournalEvent: self = .systemJournal(event)
    default:
      var writer = StateEncoder()
      event.encode(to: &writer)
      self = .named(Query.name, writer.bytes)
    }
  }

  /// Returns the event as one of a query; `nil` if it is of another one.
  func event<Query: WorldQuery>(of query: Query.Type) throws(StateError) -> Query.Event? {
    switch self {
    case .change(let event): return event as? Query.Event
    case .tail(let event): return event as? Query.Event
    case .glob(let event): return event as? Query.Event
    case .folder(let event): return event as? Query.Event
    case .systemJournal(let event): return event as? Query.Event
    case .named(let name, let bytes):
      guard name == Query.name else { return nil }
      var reader = StateDecoder(bytes)
      let event = try Query.Event(from: &reader)
      guard reader.isAtEnd else { throw StateError("an event of \(name) with further bytes") }
      return event
    case .program, .bus, .answer, .network, .task: return nil
    }
  }

  /// True for an event that is not repeated and that a waiting operation depends on: a program has ended, a file has
  /// changed, a bus has replied.
  var isDeliveredOnce: Bool {
    switch self {
    case .change, .program(.ended), .answer, .network(.failed), .network(.completed): true
    case .task(let answer): answer.isLast
    case .program(.output), .tail, .glob, .folder, .systemJournal, .named, .bus, .network(.items): false
    }
  }
}

extension WorldEvent: StateCodable {
  func encode(to writer: inout StateEncoder) {
    switch self {
    case .change(let change): change.encode(to: &writer)
    case .tail(let event): event.encode(to: &writer)
    case .glob(let event): event.encode(to: &writer)
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
    case .named(let name, let bytes): writer.kind(28, name, bytes)
    }
  }

  init(from reader: inout StateDecoder) throws(StateError) {
    let start = reader.place
    switch try reader.byte() {
    case 0, 1:
      reader.place = start
      self = .change(try ContentChange(from: &reader))
    case 2, 3, 4, 9:
      reader.place = start
      self = .tail(try TailEvent(from: &reader))
    case 5: self = .program(.output(try [UInt8](from: &reader)))
    case 6: self = .program(.ended(.exited(try Int32(from: &reader))))
    case 7: self = .program(.ended(.killed(try Int32(from: &reader))))
    case 8: self = .program(.ended(.notStarted(try reader.text())))
    case 10: self = .bus(.properties(try [String: JSONValue](from: &reader)))
    case 11: self = .bus(.arguments(try [JSONValue](from: &reader)))
    case 12: self = .bus(.gone)
    case 13: self = .bus(.refused(try SignalFailure(from: &reader)))
    case 14: self = .answer(.returned(try [JSONValue](from: &reader)))
    case 15: self = .answer(.failed(try SignalFailure(from: &reader)))
    case 20: self = .systemJournal(try SystemJournalEvent(from: &reader))
    case 21...24:
      reader.place = start
      self = .glob(try GlobEvent(from: &reader))
    case 25: self = .network(try NetworkEvent(from: &reader))
    case 26: self = .task(try TaskAnswer(from: &reader))
    case 27: self = .folder(try FolderEvent(from: &reader))
    case 28: self = .named(try reader.text(), try [UInt8](from: &reader))
    default: throw StateError("unknown kind of event")
    }
  }
}
