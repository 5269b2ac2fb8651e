package import JSON

extension SignalFailure {
  /// A value that an operator cannot process.
  package static func badValue(_ message: String) -> SignalFailure {
    SignalFailure(code: "bad_value", message: message)
  }

  /// No value where one is required.
  package static func empty(_ message: String) -> SignalFailure { SignalFailure(code: "empty", message: message) }

  /// More values waiting than the limit.
  package static func overflow(_ limit: Int, in operatorName: String) -> SignalFailure {
    SignalFailure(code: "overflow", message: "\(operatorName) exceeds \(limit) values")
  }

  /// Parses an error object of the wire protocol or of `map_error`.
  package init?(_ value: JSONValue) {
    guard case .object(let object) = value.plain, case .string(let code)? = object["code"]?.plain else { return nil }
    self.code = code
    if case .string(let text)? = object["message"]?.plain { message = text } else { message = "" }
  }
}
