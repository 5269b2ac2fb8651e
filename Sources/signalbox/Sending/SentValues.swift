internal import JSON

/// The parser of values to be sent: JSON, or plain strings.
struct SentValues: ~Copyable {
  let isText: Bool
  private var parser = JSONParser()

  init(isText: Bool) { self.isText = isText }

  mutating func value(of text: [UInt8]) throws(CommandError) -> JSONValue {
    if isText { return .string(String(decoding: text, as: UTF8.self)) }
    do throws(JSONError) { return try parser.value(of: text.span) } catch {
      throw CommandError(.badValue, Self.explanation(of: text, error))
    }
  }

  /// Indicates that a line is not blank.
  func hasValue(_ line: ArraySlice<UInt8>) -> Bool { isText ? !line.isEmpty : !line.allSatisfy { $0 <= 0x20 } }

  private static func explanation(of text: [UInt8], _ error: JSONError) -> String {
    let shown = String(decoding: text.prefix(60), as: UTF8.self) + (text.count > 60 ? "…" : "")
    let advice = error.kind == .syntax && !shown.hasPrefix("{") && !shown.hasPrefix("[")
    return "invalid JSON \(shown): \(error.message), at byte \(error.offset)"
      + (advice ? "; --string sends text" : "")
  }
}
