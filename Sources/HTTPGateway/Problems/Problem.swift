internal import JSON
internal import WireProtocol

/// The reason that a request is refused, in the form of RFC 9457, with the protocol's code for a refusal by the daemon.
struct Problem: Error, Equatable {
  let status: Int
  let code: String
  let detail: String
  /// Further members, such as `offset`.
  var members = JSONObject()
  var headers: [HTTPResponse.Header] = []

  init(_ status: Int, _ code: String, _ detail: String, headers: [HTTPResponse.Header] = []) {
    self.status = status
    self.code = code
    self.detail = detail
    self.headers = headers
  }

  static func == (one: Problem, other: Problem) -> Bool { one.object == other.object }

  /// Creates the problem for an error of the daemon or of the protocol.
  init(_ error: WireError) {
    self.init(error.code.httpStatus, error.code.rawValue, error.message)
    for member in error.details.members { members[member.key] = member.value }
  }

  /// Creates the problem for a refusal of the daemon.
  init(_ line: ServerLine) {
    self.init(line.errorCode?.httpStatus ?? 500, line.error?.text("code") ?? "internal", line.message)
    for member in line.error?.members ?? [] where member.key != "code" && member.key != "message" {
      // The member `status` of a problem is the HTTP status.
      members[member.key == "status" ? "exit_status" : member.key] = member.value
    }
  }

  /// The media type of problems.
  static let mediaType = "application/problem+json"

  var object: JSONValue {
    var object: JSONObject = [
      "type": .string("urn:signalbox:problem:" + code), "title": .string(HTTPStatus.phrase(of: status)),
      "status": .number(Double(status)), "code": .string(code), "detail": .string(detail),
    ]
    for member in members.members { object[member.key] = member.value }
    return .object(object)
  }

  var response: HTTPResponse {
    HTTPResponse(status, type: Self.mediaType, object.description + "\n", headers: headers)
  }
}
