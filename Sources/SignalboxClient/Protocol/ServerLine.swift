internal import FoundationEssentials

/// A line of the daemon, without the value of an event or an answer.
struct ServerLine: Decodable {
  /// A signal in an answer to `subscribe`.
  struct Reached: Decodable {
    let signal: String
    let seq: Int?
    let epoch: String?
  }

  let reply: String?
  let event: String?
  let op: String?
  let id: Int?
  let signal: String?
  let seq: Int?
  let at: String?
  let epoch: String?
  let error: SignalboxError?
  let reason: String?
  let dropped: Int?
  let signals: [Reached]?

  /// True if the daemon refuses the connection, not a request.
  var isOfConnection: Bool { id == nil && (error?.code == .tooMany || error?.code == .shuttingDown) }
}

/// A line, with the value of an event.
struct ValueLine<Value: Decodable>: Decodable {
  private enum Key: CodingKey { case value }

  let line: ServerLine
  /// The value, or the error of its decoding; `nil` without a value.
  let value: Result<Value, any Error>?

  init(from decoder: any Decoder) throws {
    line = try ServerLine(from: decoder)
    guard line.event == "next" else {
      value = nil
      return
    }
    let container = try decoder.container(keyedBy: Key.self)
    value = Result { try container.decode(Value.self, forKey: .value) }
  }
}

/// Decodes the content of a line.
func decoded<Content: Decodable>(_ line: [UInt8], as type: Content.Type) throws(SignalboxError) -> Content {
  do { return try JSONDecoder().decode(type, from: Data(line)) } catch { throw .undecodable(error) }
}
