/// An event of a stream of Server-Sent Events.
struct ServerSentEvent: Equatable, Sendable {
  /// The type; `message` by default.
  let name: String
  let data: String
  /// The last id of the stream up to here; empty before the first.
  let lastID: String
}

/// The parser of `text/event-stream` (WHATWG HTML, 9.2), independent of the boundaries of reads.
///
/// It stops behind any event, so that its caller delivers no more than it wants to.
struct ServerSentEventParser {
  enum Flow: Sendable {
    case next
    /// Stop behind this event.
    case pause
  }

  /// The result of bytes.
  enum Progress: Equatable, Sendable {
    /// All bytes, or those before this place, have been consumed.
    case consumed(Int)
    /// An event is longer than the limit; the stream is of no more use.
    case tooLarge
  }

  /// The id to resume behind; that of an event counts from its end on.
  private(set) var lastID: String
  /// The milliseconds that the server wants to be left alone before the next connection.
  private(set) var retry: Int?

  private let limit: Int
  private var line: [UInt8] = []
  private var data: [UInt8] = []
  private var hasData = false
  private var name = ""
  private var nextID: String
  private var isBehindReturn = false
  private var isAtStart = true

  private static let newline = UInt8(ascii: "\n")
  private static let carriageReturn = UInt8(ascii: "\r")
  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// - Parameters:
  ///   - lastID: The id that a stream before this one ended with.
  ///   - limit: The most bytes of an event, unfinished lines included.
  init(lastID: String = "", limit: Int) {
    self.lastID = lastID
    nextID = lastID
    self.limit = limit
  }

  /// Consumes bytes from a place on, and passes each event on that they finish.
  mutating func append(
    _ bytes: Span<UInt8>, from start: Int = 0, _ consume: (ServerSentEvent) -> Flow
  ) -> Progress {
    var place = start
    while place < bytes.count {
      let byte = bytes[place]
      if isBehindReturn && byte == Self.newline {
        isBehindReturn = false
        place += 1
        continue
      }
      isBehindReturn = false
      var end = place
      while end < bytes.count, bytes[end] != Self.newline, bytes[end] != Self.carriageReturn { end += 1 }
      guard line.count + data.count + (end - place) <= limit else { return .tooLarge }
      for index in place..<end { line.append(bytes[index]) }
      if end == bytes.count { return .consumed(end) }
      isBehindReturn = bytes[end] == Self.carriageReturn
      place = end + 1
      if let event = takeLine(), consume(event) == .pause { return .consumed(place) }
    }
    return .consumed(place)
  }

  /// Takes the line that has ended; returns the event that it ends.
  private mutating func takeLine() -> ServerSentEvent? {
    defer { line.removeAll(keepingCapacity: line.count <= 1 << 16) }
    if isAtStart {
      isAtStart = false
      if line.starts(with: Self.byteOrderMark) { line.removeFirst(3) }
    }
    if line.isEmpty { return takeEvent() }
    let colon = line.firstIndex(of: UInt8(ascii: ":"))
    let field = line[..<(colon ?? line.endIndex)]
    var value = line[(colon.map { $0 + 1 } ?? line.endIndex)...]
    if value.first == UInt8(ascii: " ") { value.removeFirst() }
    // A comment has an empty name; other names are for later versions.
    switch String(decoding: field, as: UTF8.self) {
    case "data":
      data += value
      data.append(Self.newline)
      hasData = true
    case "event": name = String(decoding: value, as: UTF8.self)
    case "id": if !value.contains(0) { nextID = String(decoding: value, as: UTF8.self) }
    case "retry": if let number = Self.number(value) { retry = number }
    default: break
    }
    return nil
  }

  private mutating func takeEvent() -> ServerSentEvent? {
    defer { (data, hasData, name) = ([], false, "") }
    lastID = nextID
    guard hasData else { return nil }
    return ServerSentEvent(
      name: name.isEmpty ? "message" : name, data: String(decoding: data.dropLast(), as: UTF8.self), lastID: lastID)
  }

  private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
    guard !digits.isEmpty, digits.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
    return Int(String(decoding: digits, as: UTF8.self))
  }
}
