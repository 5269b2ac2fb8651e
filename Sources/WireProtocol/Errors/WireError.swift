package import JSON

/// The reason that a request is refused: a code for programs, a message for users, and further members.
package struct WireError: Error, Equatable {
  package let code: ErrorCode
  package let message: String
  /// Further members of `error`: `offset`, `oldest`, `status`, `errors`.
  package let details: JSONObject

  package init(_ code: ErrorCode, _ message: String, details: JSONObject = JSONObject()) {
    self.code = code
    self.message = message
    self.details = details
  }

  package init(_ error: JSONError) {
    switch error.kind {
    case .syntax: self.init(.badJSON, "\(error.message), at byte \(error.offset)", details: Self.place(of: error))
    case .badValue: self.init(.badValue, "\(error.message), at byte \(error.offset)", details: Self.place(of: error))
    case .tooDeep: self.init(.tooDeep, "the line is \(error.message)")
    }
  }

  private static func place(of error: JSONError) -> JSONObject { ["offset": .number(Double(error.offset))] }

  /// The refusal of an overlong line, which was skipped up to its end.
  package static func tooLong(limit: Int) -> WireError {
    WireError(.tooLong, "line exceeds \(limit) bytes: skipped")
  }

  /// The error as an object in a reply.
  package var object: JSONValue {
    var object: JSONObject = ["code": .string(code.rawValue), "message": .string(message)]
    for member in details.members { object[member.key] = member.value }
    return .object(object)
  }
}
