internal import WireProtocol

extension ErrorCode {
  /// The corresponding HTTP status.
  var httpStatus: Int {
    switch self {
    case .badJSON, .badRequest, .unknownOp, .tooDeep: 400
    case .denied: 403
    case .unknownSignal, .unknownAction, .unknownGraph, .noValue, .notSubscribed: 404
    case .notAnInput: 405
    case .disabled, .busy, .alreadySubscribed: 409
    case .ended, .expired: 410
    case .tooLong: 413
    case .badValue, .badConfig: 422
    case .tooMany: 429
    case .internal: 500
    case .failed, .http, .connect, .tls, .tooLarge: 502
    case .shuttingDown, .restarted, .storage, .unavailable: 503
    case .timeout: 504
    }
  }
}
