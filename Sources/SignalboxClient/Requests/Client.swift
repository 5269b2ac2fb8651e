internal import ClientCore
internal import FoundationEssentials
internal import Glibc

/// A client of a signalbox daemon.
///
/// It connects at the first request. A lost connection is restored after a pause: first the lower bound of `backoff`,
/// then twice as long each time up to the upper bound, less a random part of up to one half. Requests wait while the
/// daemon is unavailable; cancelling the task ends the wait.
public final class Client: Sendable {
  /// The value held by a signal.
  public struct Held<Value: Sendable>: Sendable {
    /// The value.
    public let value: Value
    /// Its sequence number.
    public let seq: Int
    /// The time of the value, RFC 3339.
    public let at: String?
  }

  /// The outcome of a `send`.
  public struct Sent: Sendable, Hashable, Decodable {
    /// The number of the last value on the signal; `nil` if its own pipe emitted nothing.
    public let seq: Int?
    /// True if the graph had this message already, and ignored it.
    public let duplicate: Bool

    private enum Key: CodingKey { case seq, duplicate }

    /// Decodes the answer to `send`.
    public init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Key.self)
      seq = try container.decodeIfPresent(Int.self, forKey: .seq)
      duplicate = try container.decodeIfPresent(Bool.self, forKey: .duplicate) ?? false
    }
  }

  /// The ending to send to an endable signal.
  public enum Ending: Sendable {
    case completed
    case interrupted
    case failed(code: String, message: String)
  }

  /// The socket of an installed daemon.
  public static let defaultPath = "/run/signalbox/signalbox.sock"
  /// From 0.1 to 10 seconds.
  public static let defaultBackoff: ClosedRange<Duration> = Backoff.usual

  /// The daemon's socket.
  public let path: String
  let backoff: ClosedRange<Duration>
  private let requests: Requests

  /// - Parameters:
  ///   - path: The daemon's socket; by default `$SIGNALBOX_SOCKET`, or else `defaultPath`.
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

  /// Fails the pending requests with the code `cancelled`; subscriptions continue.
  public func close() async { await requests.close() }

  // MARK: Requests

  private struct Valued<Value: Decodable>: Decodable {
    let value: Value
    let seq: Int
    let at: String?
  }

  private struct Listed: Decodable { let signals: [[String: JSONValue]] }

  /// Sends a request of the protocol and returns the answer.
  ///
  /// - Parameters:
  ///   - op: The request's name.
  ///   - fields: Its other members.
  ///   - repeats: Pass `true` to send it again when a connection ends before its answer, instead of failing with
  ///     `connectionLost`.
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

  /// Sends a value, and waits until it has been executed.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - signal: The input.
  ///   - messageID: The id that makes a durable graph accept the message once: it is sent again until the daemon
  ///     answers. Without it, `connectionLost` means that its arrival is unknown.
  @discardableResult public func send(
    _ value: some Encodable & Sendable, to signal: String, messageID: String? = nil
  ) async throws(SignalboxError) -> Sent {
    try await send(signal, messageID) { $0["value"] = value }
  }

  /// Sends several values, without other clients' values between.
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

  /// Returns a unique message id.
  public static func newMessageID() -> String { UUID().uuidString.lowercased() }

  /// Returns the value held by a signal; fails with the code `noValue` if there is none.
  public func get<Value: Decodable & Sendable>(
    _ signal: String, as type: Value.Type = Value.self
  ) async throws(SignalboxError) -> Held<Value> {
    var request = RequestFields("get")
    request["signal"] = signal
    request["timestamps"] = true
    let answer: Valued<Value> = try await answer(request)
    return Held(value: answer.value, seq: answer.seq, at: answer.at)
  }

  /// Returns the signals that this client may see, as listed by the protocol.
  public func list(_ pattern: String? = nil) async throws(SignalboxError) -> [[String: JSONValue]] {
    var request = RequestFields("list")
    request["pattern"] = pattern
    let answer: Listed = try await answer(request)
    return answer.signals
  }

  /// Returns the declaration and the state of a signal.
  public func describe(_ signal: String) async throws(SignalboxError) -> [String: JSONValue] {
    try await request("describe", ["signal": .string(signal)], repeats: true)
  }

  /// Waits until all earlier requests have been executed.
  public func ping() async throws(SignalboxError) { _ = try await request("ping", repeats: true) }

  /// Returns the daemon's version, its epoch and its limits.
  public func hello() async throws(SignalboxError) -> [String: JSONValue] {
    try await request("hello", ["protocol": 1], repeats: true)
  }

  /// Returns the outputs of an action, which is called when the first one is requested.
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
