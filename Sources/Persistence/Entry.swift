import JSON
import ReactiveCore
import SignalGraph

/// Something that enters durable graphs from outside: all that they do follows from these.
///
/// Signals are named by their place in the configuration, which a snapshot is written with. The client that sent an
/// entry is written beside it by `EntryLog`.
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

// MARK: - Writing

extension Entry: Storable {
  private enum Kind: UInt8 {
    case value, values, ending, timers, crossing, crossingEnd, listening, restart, world, content
    case appended = 20
  }

  /// The kind of a note that stands before an entry, and says who sent it.
  static let senderMark: UInt8 = 30

  /// Whether it may have come from a client; all others were sent by nobody.
  var mayHaveSender: Bool {
    switch self {
    case .value, .values, .ending, .restart: true
    default: false
    }
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

  init(from reader: inout StateReader) throws(StateError) { try self.init(ofKind: try reader.byte(), from: &reader) }

  /// - Parameter kind: Its first byte, which was read before.
  init(ofKind kind: UInt8, from reader: inout StateReader) throws(StateError) {
    guard let kind = Kind(rawValue: kind) else { throw StateError("an entry of an unknown kind") }
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
