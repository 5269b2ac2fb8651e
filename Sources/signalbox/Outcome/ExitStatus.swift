internal import WireProtocol

/// The exit status of a command: the codes of sysexits.h where they apply.
enum ExitStatus: Int32, CaseIterable, Error {
  case ok = 0
  case failed = 1
  case usage = 64
  case badValue = 65
  case unreadable = 66
  case unknown = 68
  case unreachable = 69
  case `internal` = 70
  case unwritable = 73
  case notYet = 75
  case protocolError = 76
  case denied = 77
  case badConfiguration = 78

  var meaning: String {
    switch self {
    case .ok: "done"
    case .failed: "the signal or action failed, or ended before the awaited event"
    case .usage: "invalid command line"
    case .badValue: "the value is not JSON, or not accepted by the signal"
    case .unreadable: "cannot read a file"
    case .unknown: "no such signal, action or graph"
    case .unreachable: "the daemon or a message bus is unreachable, or disconnected"
    case .internal: "internal error of this program or the daemon"
    case .unwritable: "cannot write a file"
    case .notYet: "no value yet, or timed out; a retry may succeed"
    case .protocolError: "invalid response from the daemon"
    case .denied: "permission denied"
    case .badConfiguration: "invalid configuration"
    }
  }

  /// Creates the status for a refusal of the daemon.
  init(_ code: ErrorCode?) {
    switch code {
    case .badRequest, .notAnInput, .alreadySubscribed, .notSubscribed: self = .usage
    case .badValue, .badJSON, .tooLong, .tooDeep: self = .badValue
    case .unknownSignal, .unknownAction, .unknownGraph: self = .unknown
    case .ended, .failed, .http, .connect, .tls, .tooLarge: self = .failed
    case .noValue, .disabled, .busy, .tooMany, .expired, .timeout, .storage, .unavailable: self = .notYet
    case .denied: self = .denied
    case .badConfig: self = .badConfiguration
    case .shuttingDown, .restarted: self = .unreachable
    case .internal: self = .internal
    case .unknownOp, nil: self = .protocolError
    }
  }
}
