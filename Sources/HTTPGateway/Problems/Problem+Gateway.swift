internal import WireProtocol

// The refusals that are the gateway's own.
extension Problem {
  /// The daemon cannot be reached.
  static func unavailable(_ detail: String) -> Problem {
    Problem(503, "unavailable", "the daemon cannot be reached: \(detail)", headers: [("Retry-After", "1")])
  }

  static let daemonGone = unavailable("it has closed the connection")

  static let unauthorized = Problem(
    401, "unauthorized", "a token is needed: Authorization: Bearer TOKEN, or ?token= with GET",
    headers: [("WWW-Authenticate", "Bearer realm=\"signalbox\"")])

  static func notFound(_ path: String) -> Problem {
    Problem(404, "not_found", "nothing is at \(path.quoted); see /openapi.json")
  }

  static func methodNotAllowed(_ method: String, _ allowed: [String]) -> Problem {
    let list = allowed.joined(separator: ", ")
    return Problem(
      405, "method_not_allowed", "\(method.quoted) is not for this; \(list) is", headers: [("Allow", list)])
  }

  static func badParameter(_ name: String, _ value: String, _ expectation: String) -> Problem {
    Problem(400, "bad_request", "\"\(name)\" must be \(expectation), not \(value.quoted)")
  }

  /// A signal that a token may not know looks like one that is not there.
  static func unknownSignal(_ name: String) -> Problem {
    Problem(404, ErrorCode.unknownSignal.rawValue, "no signal \(name.quoted)")
  }

  static func denied(_ detail: String) -> Problem { Problem(403, ErrorCode.denied.rawValue, detail) }

  static func tooLong(limit: Int) -> Problem {
    Problem(413, ErrorCode.tooLong.rawValue, "the body is longer than \(limit) bytes")
  }

  static let timeout = Problem(504, ErrorCode.timeout.rawValue, "the daemon has not answered in time")

  static let tooManyRequests = Problem(
    429, ErrorCode.tooMany.rawValue, "that is more requests than are taken in a second",
    headers: [("Retry-After", "1")])
}
