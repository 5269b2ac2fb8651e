import JSON
import ReactiveCore
import SignalGraph

/// Something that enters durable graphs from outside: all that they do follows from these.
///
/// Signals are named by their place in the configuration, which a snapshot is written with.
enum Entry {
  /// A value of a client, with the name that it has given its message.
  case value(Payload, to: UInt32, message: String?)
  case values([Payload], to: UInt32, message: String?)
  case ending(SignalEnding, of: UInt32, message: String?)
  /// Time has come for timers that are due.
  case timers
  /// A signal of another graph has made something.
  case crossing(SignalEvent, of: UInt32)
  /// Somebody outside listens to a lazy signal from now on, or nobody does any more.
  case listening(Bool, to: UInt32)
  case restart([UInt32])
  /// An event of what a signal has attached itself to outside.
  case world(WorldEvent, number: UInt64)
  /// The content of a file that was read while the entry before was worked out.
  case content([UInt8]?)
  /// So many of the writings that are added to files, the oldest ones, are there.
  case appended(UInt64)
}

/// An event of a file that is watched or followed, of the journal of systemd, or of a program.
enum WorldEvent {
  case change(ContentChange)
  case tail(TailEvent)
  case glob(GlobEvent)
  case systemJournal(SystemJournalEvent)
  case program(ProgramEvent)
}

// MARK: - Writing

extension Entry: Storable {
  private enum Kind: UInt8 {
    case value, values, ending, timers, crossing, crossingEnd, listening, restart, world, content
    case appended = 20
  }

  /// Whether it holds a value, for the counts that people see.
  var valueCount: Int {
    switch self {
    case .values(let values, _, _): values.count
    case .value: 1
    case .crossing(.next, _): 1
    default: 0
    }
  }

  func store(in writer: inout StateWriter) {
    func kind(_ kind: Kind) { writer.byte(kind.rawValue) }
    switch self {
    case .value(let value, let place, let message):
      kind(.value)
      writer.number(UInt64(place))
      message.store(in: &writer)
      value.store(in: &writer)
    case .values(let values, let place, let message):
      kind(.values)
      writer.number(UInt64(place))
      message.store(in: &writer)
      values.store(in: &writer)
    case .ending(let ending, let place, let message):
      kind(.ending)
      writer.number(UInt64(place))
      message.store(in: &writer)
      ending.store(in: &writer)
    case .timers: kind(.timers)
    case .crossing(.next(let payload, let sequence), let place):
      kind(.crossing)
      writer.number(UInt64(place))
      writer.number(sequence)
      payload.store(in: &writer)
    case .crossing(.ended(let ending), let place):
      kind(.crossingEnd)
      writer.number(UInt64(place))
      ending.store(in: &writer)
    case .listening(let listens, let place):
      kind(.listening)
      writer.number(UInt64(place))
      listens.store(in: &writer)
    case .restart(let places):
      kind(.restart)
      writer.count(places.count)
      for place in places { writer.number(UInt64(place)) }
    case .world(let event, let number):
      kind(.world)
      writer.number(number)
      event.store(in: &writer)
    case .content(let content):
      kind(.content)
      (content != nil).store(in: &writer)
      if let content { writer.blob(content) }
    case .appended(let count):
      kind(.appended)
      writer.number(count)
    }
  }

  init(from reader: inout StateReader) throws(StateError) {
    guard let kind = Kind(rawValue: try reader.byte()) else { throw StateError("an entry of an unknown kind") }
    switch kind {
    case .value:
      let (place, message) = (try reader.place(), try String?(from: &reader))
      self = .value(try Payload(from: &reader), to: place, message: message)
    case .values:
      let (place, message) = (try reader.place(), try String?(from: &reader))
      self = .values(try [Payload](from: &reader), to: place, message: message)
    case .ending:
      let (place, message) = (try reader.place(), try String?(from: &reader))
      self = .ending(try SignalEnding(from: &reader), of: place, message: message)
    case .timers: self = .timers
    case .crossing:
      let (place, sequence) = (try reader.place(), try reader.number())
      self = .crossing(.next(try Payload(from: &reader), sequence: sequence), of: place)
    case .crossingEnd:
      let place = try reader.place()
      self = .crossing(.ended(try SignalEnding(from: &reader)), of: place)
    case .listening:
      let place = try reader.place()
      self = .listening(try Bool(from: &reader), to: place)
    case .restart:
      var places: [UInt32] = []
      for _ in 0..<(try reader.count()) { places.append(try reader.place()) }
      self = .restart(places)
    case .world:
      let number = try reader.number()
      self = .world(try WorldEvent(from: &reader), number: number)
    case .content: self = .content(try Bool(from: &reader) ? Array(try reader.blob()) : nil)
    case .appended: self = .appended(try reader.number())
    }
  }
}

extension StateReader {
  fileprivate mutating func place() throws(StateError) -> UInt32 {
    guard let place = UInt32(exactly: try number()) else { throw StateError("no signal has such a place") }
    return place
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
}
