import JSON

extension SignalFailure {
  /// A value that is not what an operator can work with.
  static func badValue(_ message: String) -> SignalFailure { SignalFailure(code: "bad_value", message: message) }

  /// Nothing came where there had to be something.
  static func empty(_ message: String) -> SignalFailure { SignalFailure(code: "empty", message: message) }

  /// More values wait than may.
  static func overflow(_ limit: Int, in operatorName: String) -> SignalFailure {
    SignalFailure(code: "overflow", message: "\(operatorName) would hold more than \(limit) values")
  }

  /// An error object of the wire protocol, or of `map_error`.
  init?(_ value: JSONValue) {
    guard case .object(let object) = value.plain, case .string(let code)? = object["code"]?.plain else { return nil }
    self.code = code
    if case .string(let text)? = object["message"]?.plain { message = text } else { message = "" }
  }
}
