internal import WireProtocol

/// The status of a command, for scripts: the numbers of sysexits.h where it has one.
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
    case .failed: "the signal or the action failed, or ended before what was waited for"
    case .usage: "the command line makes no sense"
    case .badValue: "the value is not JSON, or not what the signal takes"
    case .unreadable: "a file cannot be read"
    case .unknown: "there is no such signal, action or graph"
    case .unreachable: "the daemon, or a message bus, cannot be reached, or has gone"
    case .internal: "a mistake of this program or of the daemon"
    case .unwritable: "a file cannot be written"
    case .notYet: "no value yet, or not in time; trying again may help"
    case .protocolError: "the daemon said something that makes no sense"
    case .denied: "you may not do that"
    case .badConfiguration: "the configuration is wrong"
    }
  }

  /// The status of a command that the daemon refused.
  init(_ code: ErrorCode?) {
    switch code {
    case .badRequest, .notAnInput, .alreadySubscribed, .notSubscribed: self = .usage
    case .badValue, .badJSON, .tooLong, .tooDeep: self = .badValue
    case .unknownSignal, .unknownAction, .unknownGraph: self = .unknown
    case .ended, .failed: self = .failed
    case .noValue, .disabled, .busy, .tooMany, .expired, .timeout, .storage: self = .notYet
    case .denied: self = .denied
    case .badConfig: self = .badConfiguration
    case .shuttingDown, .restarted: self = .unreachable
    case .internal: self = .internal
    case .unknownOp, nil: self = .protocolError
    }
  }
}
