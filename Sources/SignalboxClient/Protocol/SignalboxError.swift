/// A refusal of the daemon, the failure of a signal, or a connection that ended too early.
public struct SignalboxError: Error, Sendable, Hashable {
  /// The kind of an error, which never changes its meaning; `Code(rawValue:)` is for those that a signal fails with.
  public struct Code: RawRepresentable, Sendable, Hashable {
    /// The word that the protocol has for it.
    public let rawValue: String

    /// A code by its word.
    public init(rawValue: String) { self.rawValue = rawValue }
  }

  /// The kind of the error.
  public let code: Code
  /// For people.
  public let message: String
  /// All members of the error as the daemon told it: `oldest`, `status`, `errors` and so on.
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
  /// Reads an error as the daemon tells it.
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
  /// A field is missing, unknown, given twice or of a wrong type, or fields do not go together.
  public static let badRequest = Self(rawValue: "bad_request")
  /// There is no such request.
  public static let unknownOp = Self(rawValue: "unknown_op")
  /// There is no such signal, or this user may neither send to it nor subscribe to it.
  public static let unknownSignal = Self(rawValue: "unknown_signal")
  /// There is no such action, or this user may neither call it nor see its signals.
  public static let unknownAction = Self(rawValue: "unknown_action")
  /// The signal is computed, or begins by itself.
  public static let notAnInput = Self(rawValue: "not_an_input")
  /// The value cannot be held, or is of another type than the input takes.
  public static let badValue = Self(rawValue: "bad_value")
  /// The signal has ended and takes no more values.
  public static let ended = Self(rawValue: "ended")
  /// This pattern or label is subscribed on this connection.
  public static let alreadySubscribed = Self(rawValue: "already_subscribed")
  /// There is no such subscription on this connection.
  public static let notSubscribed = Self(rawValue: "not_subscribed")
  /// The signal holds no value, or none yet.
  public static let noValue = Self(rawValue: "no_value")
  /// There is no such graph.
  public static let unknownGraph = Self(rawValue: "unknown_graph")
  /// The reload is refused; `errors` of the details has every mistake.
  public static let badConfig = Self(rawValue: "bad_config")
  /// The action failed, or a file that was sent to cannot be written.
  public static let failed = Self(rawValue: "failed")
  /// This user has no right to it, or the signal is not endable.
  public static let denied = Self(rawValue: "denied")
  /// The action may not run now.
  public static let disabled = Self(rawValue: "disabled")
  /// The action runs already.
  public static let busy = Self(rawValue: "busy")
  /// The line is longer than the daemon takes.
  public static let tooLong = Self(rawValue: "too_long")
  /// The line is nested deeper than the daemon takes.
  public static let tooDeep = Self(rawValue: "too_deep")
  /// A limit on connections or subscriptions is reached, which the message names.
  public static let tooMany = Self(rawValue: "too_many")
  /// The values to go on from are gone.
  public static let expired = Self(rawValue: "expired")
  /// The action took longer than it may.
  public static let timeout = Self(rawValue: "timeout")
  /// The durable graphs cannot be written to disk now.
  public static let storage = Self(rawValue: "storage")
  /// The daemon ends.
  public static let shuttingDown = Self(rawValue: "shutting_down")
  /// The daemon was replaced by another process while the call ran.
  public static let restarted = Self(rawValue: "restarted")
  /// A fault of the daemon.
  public static let `internal` = Self(rawValue: "internal")

  /// All that the protocol has.
  public static let all: [Self] = [
    .badJSON, .badRequest, .unknownOp, .unknownSignal, .unknownAction, .notAnInput, .badValue, .ended,
    .alreadySubscribed, .notSubscribed, .noValue, .unknownGraph, .badConfig, .failed, .denied, .disabled, .busy,
    .tooLong, .tooDeep, .tooMany, .expired, .timeout, .storage, .shuttingDown, .restarted,
    .internal,
  ]

  // Those of this library.

  /// The connection ended before the answer: nobody knows whether the request was carried out.
  public static let connectionLost = Self(rawValue: "connection_lost")
  /// The task or the client was ended before the answer.
  public static let cancelled = Self(rawValue: "cancelled")
  /// A value is not what the program decodes it as, or cannot be encoded.
  public static let undecodable = Self(rawValue: "undecodable")
  /// The signal was interrupted: by its sender, by a reload that removed it or took the right to it away.
  public static let interrupted = Self(rawValue: "interrupted")
}

extension SignalboxError {
  static let connectionLost = SignalboxError(.connectionLost, "the connection ended before the answer")
  static let cancelled = SignalboxError(.cancelled, "the task or the client was ended before the answer")

  static func undecodable(_ error: any Error) -> SignalboxError { SignalboxError(.undecodable, "\(error)") }
}
