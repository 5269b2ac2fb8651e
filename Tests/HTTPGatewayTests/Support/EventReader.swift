import JSON

/// An event as a browser would take it.
struct ServerSentEvent: Equatable {
  var name = "message"
  var data = ""
  /// The id that the browser would give back after it.
  var lastID = ""

  /// The number of a value.
  var seq: Int? {
    guard let start = data.firstRange(of: "\"seq\":") else { return nil }
    return Int(data[start.upperBound...].prefix { $0.isNumber })
  }

  /// A text among the data.
  func text(_ key: String) -> String? {
    guard let start = data.firstRange(of: "\"\(key)\":\"") else { return nil }
    return String(data[start.upperBound...].prefix { $0 != "\"" })
  }
}

/// The browser's side of a stream of events: it reads, is cut off, and comes again with what it has.
final class EventReader {
  private let connection: TestConnection
  private var text = ""
  private(set) var lastID: String

  /// - Parameter lastID: The id to go on behind.
  convenience init(
    _ gateway: RunningGateway, _ query: String, token: String = RunningGateway.allToken, lastID: String = ""
  ) throws {
    try self.init(gateway, path: "/events?\(query)", token: token, lastID: lastID)
  }

  convenience init(
    _ gateway: RunningGateway, path: String, token: String = RunningGateway.allToken, lastID: String = ""
  ) throws {
    try self.init(gateway.connect(), path: path, token: token, lastID: lastID)
  }

  init(
    _ connection: TestConnection, path: String, token: String = RunningGateway.allToken, lastID: String = ""
  ) throws {
    self.connection = connection
    self.lastID = lastID
    try connection.request("GET", path, token: token, lastID.isEmpty ? [:] : ["Last-Event-ID": lastID])
    let (status, headers) = try connection.head()
    guard status == 200, headers["content-type"] == "text/event-stream" else { throw Refused(status: status) }
  }

  struct Refused: Error, Equatable {
    let status: Int
  }

  /// The next event; `nil` at the end of the stream.
  ///
  /// Comments and bare ids are no events.
  func next() throws -> ServerSentEvent? {
    // Comments go on for ever.
    let deadline = ContinuousClock.now + .seconds(60)
    while ContinuousClock.now < deadline {
      while let end = text.firstRange(of: "\n\n") {
        let block = String(text[..<end.lowerBound])
        text.removeSubrange(..<end.upperBound)
        if let event = event(of: block) { return event }
      }
      guard let piece = try connection.piece() else { return nil }
      text += piece
    }
    throw TestConnection.Failure.noAnswer
  }

  /// The next event of a name; others before it are passed over.
  func next(named name: String) throws -> ServerSentEvent? {
    while let event = try next() { if event.name == name { return event } }
    return nil
  }

  private func event(of block: String) -> ServerSentEvent? {
    var event = ServerSentEvent()
    for line in block.split(separator: "\n") {
      let field = line.prefix { $0 != ":" }
      let value = String(line.dropFirst(field.count + 1).drop { $0 == " " })
      switch field {
      case "event": event.name = value
      case "data": event.data = value
      case "id": lastID = value
      default: break
      }
    }
    event.lastID = lastID
    return event.data.isEmpty ? nil : event
  }
}
