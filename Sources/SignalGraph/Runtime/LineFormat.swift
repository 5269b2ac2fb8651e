import JSON

/// How a line becomes a value.
enum LineFormat: String, WordParameter {
  /// The line as a string.
  case text
  case json

  /// The value of a line; `nil` for a blank one where JSON is expected.
  ///
  /// - Throws: `bad_value` where it is not UTF-8 or not JSON, `too_long`.
  func payload(of line: LineCutter.Line, limit: Int) throws(SignalFailure) -> Payload? {
    guard case .whole(let bytes) = line else {
      throw SignalFailure(code: "too_long", message: "a line of more than \(limit) bytes (limits.line)")
    }
    switch self {
    case .text:
      guard let text = String(validating: bytes, as: UTF8.self) else {
        throw .badValue("a line that is not UTF-8 text")
      }
      return .value(.string(text))
    case .json:
      guard bytes.contains(where: { !Self.isSpace($0) }) else { return nil }
      do throws(JSONError) {
        return .value(try JSONParser.value(onThisThread: Array(bytes).span))
      } catch {
        throw .badValue("a line that is not JSON: \(error.message)")
      }
    }
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
}

extension LineCutter.Line {
  /// The line as it may be shown to people.
  var shown: JSONValue {
    switch self {
    case .whole(let bytes): .string(String(decoding: bytes, as: UTF8.self))
    case .tooLong: .null
    }
  }
}
