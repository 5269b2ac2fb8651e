internal import WireProtocol

// The gateway's own refusals.
extension Problem {
  /// The refusal while the daemon cannot be reached.
  static func unavailable(_ detail: String) -> Problem {
    Problem(503, "unavailable", "cannot reach the daemon: \(detail)", headers: [("Retry-After", "1")])
  }

  static let daemonGone = unavailable("it closed the connection")

  static let unauthorized = Problem(
    401, "unauthorized", "missing token: Authorization: Bearer TOKEN, or ?token= with GET",
    headers: [("WWW-Authenticate", "Bearer realm=\"signalbox\"")])

  static func notFound(_ path: String) -> Problem {
    Problem(404, "not_found", "no resource \(path.quoted); see /openapi.json")
  }

  static func methodNotAllowed(_ method: String, _ allowed: [String]) -> Problem {
    let list = allowed.joined(separator: ", ")
    return Problem(
      405, "method_not_allowed", "method \(method.quoted) not allowed; allowed: \(list)", headers: [("Allow", list)])
  }

  static func badParameter(_ name: String, _ value: String, _ expectation: String) -> Problem {
    Problem(400, "bad_request", "\"\(name)\" must be \(expectation), not \(value.quoted)")
  }

  /// A signal hidden from a token looks like an unknown one.
  static func unknownSignal(_ name: String) -> Problem {
    Problem(404, ErrorCode.unknownSignal.rawValue, "no signal \(name.quoted)")
  }

  static func denied(_ detail: String) -> Problem { Problem(403, ErrorCode.denied.rawValue, detail) }

  static func tooLong(limit: Int) -> Problem {
    Problem(413, ErrorCode.tooLong.rawValue, "the body exceeds \(limit) bytes")
  }

  static let crowded = Problem(
    503, ErrorCode.busy.rawValue, "the memory for request bodies is exhausted; try again",
    headers: [("Retry-After", "1")])

  static func unsupported(coding: String) -> Problem {
    Problem(
      415, "unsupported", "unsupported Content-Encoding \(coding.quoted): send the body unencoded",
      headers: [("Accept-Encoding", "identity"), ("Connection", "close")])
  }

  static let timeout = Problem(504, ErrorCode.timeout.rawValue, "no answer from the daemon in time")

  static func tooManyUnderWay(_ limit: Int) -> Problem {
    Problem(
      429, ErrorCode.tooMany.rawValue, "\(limit) requests of this token are already in progress (--max-token-requests)",
      headers: [("Retry-After", "1")])
  }

  static let tooManyRequests = Problem(
    429, ErrorCode.tooMany.rawValue, "too many requests per second",
    headers: [("Retry-After", "1")])
}
