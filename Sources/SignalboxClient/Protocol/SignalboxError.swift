/// A refusal by the daemon, the failure of a signal, or a lost connection.
public struct SignalboxError: Error, Sendable, Hashable {
  /// The stable kind of an error; `Code(rawValue:)` is for the codes that signals fail with.
  public struct Code: RawRepresentable, Sendable, Hashable {
    /// The protocol's word for it.
    public let rawValue: String

    /// Creates a code from its word.
    public init(rawValue: String) { self.rawValue = rawValue }
  }

  /// The kind of the error.
  public let code: Code
  /// The message.
  public let message: String
  /// All members of the error as sent by the daemon: `oldest`, `status`, `errors` and so on.
  public let details: [String: JSONValue]

  /// An error of this kind.
  public init(_ code: Code, _ message: String, details: [String: JSONValue] = [:]) {
    self.code = code
    self.message = message
    self.details = details
  }
}

extension SignalboxError: CustomStringConvertible {
  /// The message and the code.
  public var description: String { "\(message) (\(code.rawValue))" }
}

extension SignalboxError: Decodable {
  /// Decodes an error of the daemon.
  public init(from decoder: any Decoder) throws {
    let members = try decoder.singleValueContainer().decode([String: JSONValue].self)
    self.init(
      Code(rawValue: members["code"]?.text ?? "internal"), members["message"]?.text ?? "", details: members)
  }
}

extension SignalboxError.Code {
  // Those of the protocol, in its order.
  /// The line is not JSON, or not UTF-8.
  public static let badJSON = Self(rawValue: "bad_json")
  /// A field is missing, unknown, duplicate or of a wrong type, or fields conflict.
  public static let badRequest = Self(rawValue: "bad_request")
  /// The request does not exist.
  public static let unknownOp = Self(rawValue: "unknown_op")
  /// The signal does not exist, or this user may neither send to it nor subscribe to it.
  public static let unknownSignal = Self(rawValue: "unknown_signal")
  /// The action does not exist, or this user may neither call it nor see its signals.
  public static let unknownAction = Self(rawValue: "unknown_action")
  /// The signal is computed, or starts by itself.
  public static let notAnInput = Self(rawValue: "not_an_input")
  /// The value cannot be represented, or is of another type than the input's.
  public static let badValue = Self(rawValue: "bad_value")
  /// The signal has ended and accepts no more values.
  public static let ended = Self(rawValue: "ended")
  /// This pattern or label is already subscribed on this connection.
  public static let alreadySubscribed = Self(rawValue: "already_subscribed")
  /// The subscription does not exist on this connection.
  public static let notSubscribed = Self(rawValue: "not_subscribed")
  /// The signal holds no value, or none yet.
  public static let noValue = Self(rawValue: "no_value")
  /// The graph does not exist.
  public static let unknownGraph = Self(rawValue: "unknown_graph")
  /// The reload was refused; `errors` in the details lists all errors.
  public static let badConfig = Self(rawValue: "bad_config")
  /// The action failed, or a target file cannot be written.
  public static let failed = Self(rawValue: "failed")
  /// This user lacks the permission, or the signal is not endable.
  public static let denied = Self(rawValue: "denied")
  /// The action may not run now.
  public static let disabled = Self(rawValue: "disabled")
  /// The action is already running.
  public static let busy = Self(rawValue: "busy")
  /// The line exceeds the daemon's length limit.
  public static let tooLong = Self(rawValue: "too_long")
  /// The line exceeds the daemon's nesting limit.
  public static let tooDeep = Self(rawValue: "too_deep")
  /// A limit on connections or subscriptions is reached; the message names it.
  public static let tooMany = Self(rawValue: "too_many")
  /// The values to resume from are no longer retained.
  public static let expired = Self(rawValue: "expired")
  /// The action exceeded its time limit.
  public static let timeout = Self(rawValue: "timeout")
  /// The durable graphs cannot be written to disk now.
  public static let storage = Self(rawValue: "storage")
  /// The graph runs on another node of a cluster, or on none, and cannot be reached now.
  public static let unavailable = Self(rawValue: "unavailable")
  /// A server of HTTP answered the request of an action with an error status.
  public static let http = Self(rawValue: "http")
  /// The peer of an action's request cannot be reached.
  public static let connect = Self(rawValue: "connect")
  /// The peer's certificate cannot be trusted, or the encryption cannot be agreed on.
  public static let tls = Self(rawValue: "tls")
  /// An answer or a message is longer than the limit.
  public static let tooLarge = Self(rawValue: "too_large")
  /// The daemon is shutting down.
  public static let shuttingDown = Self(rawValue: "shutting_down")
  /// The daemon was replaced by another process during the call.
  public static let restarted = Self(rawValue: "restarted")
  /// An internal error of the daemon.
  public static let `internal` = Self(rawValue: "internal")

  /// All codes of the protocol.
  public static let all: [Self] = [
    .badJSON, .badRequest, .unknownOp, .unknownSignal, .unknownAction, .notAnInput, .badValue, .ended,
    .alreadySubscribed, .notSubscribed, .noValue, .unknownGraph, .badConfig, .failed, .denied, .disabled, .busy,
    .tooLong, .tooDeep, .tooMany, .expired, .timeout, .storage, .unavailable, .http, .connect,
    .tls, .tooLarge, .shuttingDown, .restarted, .internal,
  ]

  // Those that an adapter gives to signals that fail and to values that are rejected.

  /// An MQTT broker has refused a subscription or a message; `status` in the details is its reason code, if it gave one.
  public static let mqtt = Self(rawValue: "mqtt")
  /// A NATS server has refused a subscription or a message, or does not have the stream.
  public static let nats = Self(rawValue: "nats")

  // Those of this library.

  /// The connection ended before the answer: it is unknown whether the request was executed.
  public static let connectionLost = Self(rawValue: "connection_lost")
  /// The task or the client was cancelled before the answer.
  public static let cancelled = Self(rawValue: "cancelled")
  /// A value cannot be decoded as the program's type, or cannot be encoded.
  public static let undecodable = Self(rawValue: "undecodable")
  /// The signal was interrupted by its sender, or by a reload that removed it or revoked the permission.
  public static let interrupted = Self(rawValue: "interrupted")
}

extension SignalboxError {
  static let connectionLost = SignalboxError(.connectionLost, "the connection closed before the answer")
  static let cancelled = SignalboxError(.cancelled, "the task was cancelled or the client closed before the answer")

  static func undecodable(_ error: any Error) -> SignalboxError { SignalboxError(.undecodable, "\(error)") }
}
