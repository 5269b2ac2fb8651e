internal import JSON
internal import WireProtocol

extension RouteCall {
  /// Returns a query parameter, parsed like the field of a request.
  func parameter<Value: FieldValue>(_ name: String, _ type: Value.Type = Value.self) throws(Problem) -> Value? {
    guard let text = request.parameter(name) else { return nil }
    if let value = Value(field: RawJSON(validated: JSONValue.string(text).json)) { return value }
    if let number = UInt64(text), let value = Value(field: RawJSON(validated: Array(String(number).utf8))) {
      return value
    }
    throw .badParameter(name, text, Value.expectation(insteadOf: text))
  }

  /// Parses a parameter that is true or false.
  func truth(_ name: String) throws(Problem) -> Bool? {
    guard let text = request.parameter(name) else { return nil }
    guard let truth = Bool(text) else { throw .badParameter(name, text, "true or false") }
    return truth
  }

  /// Parses a pattern in a parameter or in the path.
  func pattern(_ text: String, _ name: String) throws(Problem) -> SignalPattern {
    if let pattern = SignalPattern(text) { return pattern }
    throw .badParameter(name, text, SignalPattern.expectation)
  }

  /// Returns the value of the body: text by its media type, otherwise JSON.
  func value() throws(Problem) -> JSONValue {
    switch HTTPMedia.type(of: request) {
    case "text/plain":
      guard let text = String(validating: request.body, as: UTF8.self) else {
        throw Problem(422, ErrorCode.badValue.rawValue, "the text is not valid UTF-8")
      }
      return .string(text)
    default: return try JSONValue(body: request.body)
    }
  }
}

extension JSONValue {
  /// Parses a JSON body.
  init(body: [UInt8]) throws(Problem) {
    if body.isEmpty { throw Problem(400, ErrorCode.badJSON.rawValue, "missing value: the body must be JSON") }
    do throws(JSONError) { self = try JSONParser.value(onThisThread: body.span) } catch {
      throw Problem(WireError(error))
    }
  }
}

/// The media types of bodies.
enum HTTPMedia {
  /// Returns the type without its parameters, in lower case; empty if it is missing.
  static func type(of request: HTTPRequest) -> String {
    let field = request.header("Content-Type") ?? ""
    return field.prefix { $0 != ";" }.lowercased().filter { $0 != " " }
  }
}
