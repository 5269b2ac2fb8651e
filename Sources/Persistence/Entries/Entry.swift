import GraphEngine
import GraphModel
import JSON
import Signals

/// An external input of durable graphs; all their behaviour follows from these.
///
/// Signals are identified by their index in the configuration, which is stored in a snapshot. `EntryLog` records the
/// client that sent an entry separately.
enum Entry {
  /// A value of a client, with the ID of its message.
  case value(Payload, to: UInt32, message: String?)
  case values([Payload], to: UInt32, message: String?)
  case ending(SignalEnding, of: UInt32, message: String?)
  /// Timers are due.
  case timers
  /// An event of another graph's signal.
  case crossing(SignalEvent, of: UInt32)
  /// A lazy signal has got its first external subscriber or lost its last one.
  case listening(Bool, to: UInt32)
  case restart([UInt32])
  /// An event of an external attachment.
  case world(WorldEvent, number: UInt64)
  /// The content of a file that was read while the previous entry was performed.
  case content([UInt8]?)
  /// The number of appends to files, the oldest ones, that are complete.
  case appended(UInt64)
  /// Files whose replacements are complete, all those that earlier entries have caused.
  case replaced([FileWriting.Path])
  /// So many values of a message have been taken by now: the rest comes in further entries.
  case progress(message: String, of: UInt32, count: UInt64, sequence: UInt64?)
}

// MARK: - Encoding

extension Entry: StateCodable {
  private enum Kind: UInt8 {
    case value, values, ending, timers, crossing, crossingEnd, listening, restart, world, content
    case appended = 20
    case progress, replaced
  }

  /// The kind of a value.
  static let valueMark = Kind.value.rawValue
  /// The kind of a note before an entry that identifies its sender.
  static let senderMark: UInt8 = 30
  /// The kind of a note before an entry about the turns that were cut when it was performed.
  static let cutMark: UInt8 = 31

  /// True for an entry that a client may have sent.
  var mayHaveSender: Bool {
    switch self {
    case .value, .values, .ending, .restart: true
    default: false
    }
  }

  /// The number of values in the entry, for statistics.
  var valueCount: Int {
    switch self {
    case .values(let values, _, _): values.count
    case .value: 1
    case .crossing(.next, _): 1
    default: 0
    }
  }

  func encode(to writer: inout StateEncoder) {
    func kind(_ kind: Kind) { writer.byte(kind.rawValue) }
    switch self {
    case .value(let value, let place, let message):
      kind(.value)
      writer.number(UInt64(place))
      message.encode(to: &writer)
      value.encode(to: &writer)
    case .values(let values, let place, let message):
      kind(.values)
      writer.number(UInt64(place))
      message.encode(to: &writer)
      values.encode(to: &writer)
    case .ending(let ending, let place, let message):
      kind(.ending)
      writer.number(UInt64(place))
      message.encode(to: &writer)
      ending.encode(to: &writer)
    case .timers: kind(.timers)
    case .crossing(.next(let payload, let sequence), let place):
      kind(.crossing)
      writer.number(UInt64(place))
      writer.number(sequence)
      payload.encode(to: &writer)
    case .crossing(.ended(let ending), let place):
      kind(.crossingEnd)
      writer.number(UInt64(place))
      ending.encode(to: &writer)
    case .listening(let listens, let place):
      kind(.listening)
      writer.number(UInt64(place))
      listens.encode(to: &writer)
    case .restart(let places):
      kind(.restart)
      writer.count(places.count)
      for place in places { writer.number(UInt64(place)) }
    case .world(let event, let number):
      kind(.world)
      writer.number(number)
      event.encode(to: &writer)
    case .content(let content):
      kind(.content)
      (content != nil).encode(to: &writer)
      if let content { writer.blob(content) }
    case .appended(let count):
      kind(.appended)
      writer.number(count)
    case .replaced(let paths):
      kind(.replaced)
      paths.encode(to: &writer)
    case .progress(let message, let place, let count, let sequence):
      kind(.progress)
      writer.number(UInt64(place))
      writer.text(message)
      writer.number(count)
      sequence.encode(to: &writer)
    }
  }

  init(from reader: inout StateDecoder) throws(StateError) { try self.init(ofKind: try reader.byte(), from: &reader) }

  /// - Parameter kind: The first byte, already read.
  init(ofKind kind: UInt8, from reader: inout StateDecoder) throws(StateError) {
    guard let kind = Kind(rawValue: kind) else { throw StateError("unknown kind of entry") }
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
    case .replaced: self = .replaced(try [FileWriting.Path](from: &reader))
    case .progress:
      let (place, message) = (try reader.place(), try reader.text())
      self = .progress(message: message, of: place, count: try reader.number(), sequence: try UInt64?(from: &reader))
    }
  }
}

extension StateDecoder {
  fileprivate mutating func place() throws(StateError) -> UInt32 {
    guard let place = UInt32(exactly: try number()) else { throw StateError("unknown signal index") }
    return place
  }
}
