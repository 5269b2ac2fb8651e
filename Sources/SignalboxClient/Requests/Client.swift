internal import FoundationEssentials
internal import Glibc

/// A client of a signalbox daemon.
///
/// Nothing happens before the first request. A connection that is lost is made again, after the first of `backoff`, then
/// after twice as long each time up to the last, less a random part of up to one half. Requests wait for a daemon that is
/// not there; the end of the task ends the wait.
public final class Client: Sendable {
  /// The value that a signal holds.
  public struct Held<Value: Sendable>: Sendable {
    /// The value.
    public let value: Value
    /// Its number.
    public let seq: Int
    /// When the value came, RFC 3339.
    public let at: String?
  }

  /// What became of a value that was sent.
  public struct Sent: Sendable, Hashable, Decodable {
    /// The number of the last value on the signal; `nil` where its own pipe let nothing through.
    public let seq: Int?
    /// Whether the graph had this message already, and did nothing.
    public let duplicate: Bool

    private enum Key: CodingKey { case seq, duplicate }

    /// Reads the answer to `send`.
    public init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Key.self)
      seq = try container.decodeIfPresent(Int.self, forKey: .seq)
      duplicate = try container.decodeIfPresent(Bool.self, forKey: .duplicate) ?? false
    }
  }

  /// The ending of a signal that is endable.
  public enum Ending: Sendable {
    case completed
    case interrupted
    case failed(code: String, message: String)
  }

  /// The socket of a daemon that is installed.
  public static let defaultPath = "/run/signalbox/signalbox.sock"
  /// From 0.1 to 10 seconds.
  public static let defaultBackoff: ClosedRange<Duration> = .milliseconds(100)...(.seconds(10))

  /// The daemon's socket.
  public let path: String
  let backoff: ClosedRange<Duration>
  private let requests: Requests

  /// - Parameters:
  ///   - path: The daemon's socket; else `$SIGNALBOX_SOCKET`, else `defaultPath`.
  ///   - backoff: The first and the longest pause between attempts to connect.
  public init(path: String? = nil, backoff: ClosedRange<Duration> = Client.defaultBackoff) {
    self.path = path ?? getenv("SIGNALBOX_SOCKET").map { String(cString: $0) } ?? Self.defaultPath
    self.backoff = backoff
    requests = Requests(path: self.path, backoff: backoff)
  }

  deinit {
    let requests = requests
    Task { await requests.close() }
  }

  /// Ends the requests that wait for their answers, with the code `cancelled`; subscriptions go on.
  public func close() async { await requests.close() }

  // MARK: Requests

  private struct Valued<Value: Decodable>: Decodable {
    let value: Value
    let seq: Int
    let at: String?
  }

  private struct Listed: Decodable { let signals: [[String: JSONValue]] }

  /// Sends a request as the protocol has it, and gives the answer.
  ///
  /// - Parameters:
  ///   - op: Its name.
  ///   - fields: Its members beside that.
  ///   - repeats: Whether it is sent again when a connection ended before its answer; else that is `connectionLost`.
  public func request(
    _ op: String, _ fields: [String: JSONValue] = [:], repeats: Bool = false
  ) async throws(SignalboxError) -> [String: JSONValue] {
    var request = RequestFields(op)
    for (name, value) in fields { request[name] = value }
    return try await answer(request, repeats: repeats)
  }

  private func answer<Answer: Decodable>(
    _ request: RequestFields, repeats: Bool = true
  ) async throws(SignalboxError) -> Answer {
    try decoded(try await requests.ask(request, repeats: repeats), as: Answer.self)
  }

  /// Sends a value, and waits until it has been carried out.
  ///
  /// - Parameters:
  ///   - value: It.
  ///   - signal: The input.
  ///   - messageID: Names the message, so that a durable graph takes it once: it is sent again until the daemon has
  ///     answered. Without it `connectionLost` says that nobody knows whether it arrived.
  @discardableResult public func send(
    _ value: some Encodable & Sendable, to signal: String, messageID: String? = nil
  ) async throws(SignalboxError) -> Sent {
    try await send(signal, messageID) { $0["value"] = value }
  }

  /// Sends several values, with no other client's value between.
  @discardableResult public func send(
    contentsOf values: [some Encodable & Sendable], to signal: String, messageID: String? = nil
  ) async throws(SignalboxError) -> Sent {
    try await send(signal, messageID) { $0["values"] = values }
  }

  /// Ends a signal.
  @discardableResult public func end(
    _ signal: String, with ending: Ending = .completed, messageID: String? = nil
  ) async throws(SignalboxError) -> Sent {
    try await send(signal, messageID) { request in
      switch ending {
      case .completed: request["event"] = "completed"
      case .interrupted: request["event"] = "interrupted"
      case .failed(let code, let message):
        request["event"] = "failed"
        request["error"] = ["code": code, "message": message]
      }
    }
  }

  private func send(
    _ signal: String, _ messageID: String?, _ fill: (inout RequestFields) -> Void
  ) async throws(SignalboxError) -> Sent {
    var request = RequestFields("send")
    request["signal"] = signal
    fill(&request)
    request["message_id"] = messageID
    return try await answer(request, repeats: messageID != nil)
  }

  /// A message id that nobody else has.
  public static func newMessageID() -> String { UUID().uuidString.lowercased() }

  /// The value that a signal holds; an error with the code `noValue` if there is none.
  public func get<Value: Decodable & Sendable>(
    _ signal: String, as type: Value.Type = Value.self
  ) async throws(SignalboxError) -> Held<Value> {
    var request = RequestFields("get")
    request["signal"] = signal
    request["timestamps"] = true
    let answer: Valued<Value> = try await answer(request)
    return Held(value: answer.value, seq: answer.seq, at: answer.at)
  }

  /// The signals that this client may see, as the protocol tells them.
  public func list(_ pattern: String? = nil) async throws(SignalboxError) -> [[String: JSONValue]] {
    var request = RequestFields("list")
    request["pattern"] = pattern
    let answer: Listed = try await answer(request)
    return answer.signals
  }

  /// The declaration and the state of a signal.
  public func describe(_ signal: String) async throws(SignalboxError) -> [String: JSONValue] {
    try await request("describe", ["signal": .string(signal)], repeats: true)
  }

  /// Waits until everything that was sent before has been carried out.
  public func ping() async throws(SignalboxError) { _ = try await request("ping", repeats: true) }

  /// The daemon's version, its epoch and its limits.
  public func hello() async throws(SignalboxError) -> [String: JSONValue] {
    try await request("hello", ["protocol": 1], repeats: true)
  }

  /// The outputs of an action, which is called when the first one is asked for.
  ///
  /// A call has a connection of its own: the end of the iteration, or of its task, cancels it.
  public func call<Output: Decodable & Sendable>(
    _ action: String, _ value: (some Encodable & Sendable)? = nil as JSONValue?, as type: Output.Type = Output.self
  ) -> Outputs<Output> {
    var request = RequestFields("call")
    request["action"] = action
    request["value"] = value
    return Outputs(path: path, request: request)
  }
}
