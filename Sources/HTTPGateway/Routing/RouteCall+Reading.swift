internal import HTTPServer
internal import JSON
internal import WireProtocol

extension RouteCall {
  /// A parameter of the query, read as the field of a request would be.
  func parameter<Value: FieldValue>(_ name: String, _ type: Value.Type = Value.self) throws(Problem) -> Value? {
    guard let text = request.parameter(name) else { return nil }
    if let value = Value(field: RawJSON(validated: JSONValue.string(text).json)) { return value }
    if let number = UInt64(text), let value = Value(field: RawJSON(validated: Array(String(number).utf8))) {
      return value
    }
    throw .badParameter(name, text, Value.expectation)
  }

  /// A pattern among the parameters, or in the path.
  func pattern(_ text: String, _ name: String) throws(Problem) -> SignalPattern {
    if let pattern = SignalPattern(text) { return pattern }
    throw .badParameter(name, text, SignalPattern.expectation)
  }

  /// The value that the body is: text if it says it is, else JSON.
  func value() throws(Problem) -> JSONValue {
    switch HTTPMedia.type(of: request) {
    case "text/plain":
      guard let text = String(validating: request.body, as: UTF8.self) else {
        throw Problem(422, ErrorCode.badValue.rawValue, "the text is not UTF-8")
      }
      return .string(text)
    default: return try JSONValue(body: request.body)
    }
  }
}

extension JSONValue {
  /// The value of a body of JSON.
  init(body: [UInt8]) throws(Problem) {
    if body.isEmpty { throw Problem(400, ErrorCode.badJSON.rawValue, "the body is empty; a value is JSON") }
    do throws(JSONError) { self = try JSONParser.value(onThisThread: body.span) } catch {
      throw Problem(WireError(error))
    }
  }
}

/// The media types of bodies.
enum HTTPMedia {
  /// The type without its parameters, in small letters; nothing where none is said.
  static func type(of request: HTTPRequest) -> String {
    let field = request.header("Content-Type") ?? ""
    return field.prefix { $0 != ";" }.lowercased().filter { $0 != " " }
  }
}
