import JSON

/// An event as parsed by a browser.
struct ServerSentEvent: Equatable {
  var name = "message"
  var data = ""
  /// The id that the browser would send after it.
  var lastID = ""

  /// The number of a value.
  var seq: Int? {
    guard let start = data.firstRange(of: "\"seq\":") else { return nil }
    return Int(data[start.upperBound...].prefix { $0.isNumber })
  }

  /// Returns a text in the data.
  func text(_ key: String) -> String? {
    guard let start = data.firstRange(of: "\"\(key)\":\"") else { return nil }
    return String(data[start.upperBound...].prefix { $0 != "\"" })
  }
}

/// The browser's side of a stream of events: it reads, is disconnected, and reconnects with its last id.
final class EventReader {
  private let connection: TestConnection
  private var text = ""
  private(set) var lastID: String

  /// - Parameter lastID: The id to resume after.
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

  /// Returns the next event; `nil` at the end of the stream.
  ///
  /// Comments and bare ids are skipped.
  func next() throws -> ServerSentEvent? {
    // Comments continue forever.
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

  /// Returns the next event of a name, skipping others.
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
