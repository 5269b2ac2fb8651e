import JSON

/// The interpretation of plain scalars in YAML 1.2's core schema.
package enum CoreSchema {
  /// A value, or the reason for rejecting the text.
  typealias Resolution = Result<JSONValue, Refusal>

  struct Refusal: Error {
    let message: String
    /// True for a number beyond those of JSON.
    var isTooLarge = false
  }

  /// Resolves `null`, `true`, `12`, `0x1F` and `1.5`; all else is a string, including `no` and `12:30`.
  static func resolve(_ text: String) -> Resolution {
    switch text {
    case "", "~", "null", "Null", "NULL": .success(.null)
    case "true", "True", "TRUE": .success(.bool(true))
    case "false", "False", "FALSE": .success(.bool(false))
    default: number(text) ?? .success(.string(text))
    }
  }

  /// Checks that a plain scalar with this text is a string.
  package static func isString(_ text: String) -> Bool {
    if case .success(.string) = resolve(text) { true } else { false }
  }

  private static func number(_ text: String) -> Resolution? {
    let bytes = Array(text.utf8)
    guard let first = bytes.first, first < UInt8(ascii: "A") else { return nil }
    if text.hasPrefix("0x") { return whole(text.dropFirst(2), radix: 16) }
    if text.hasPrefix("0o") { return whole(text.dropFirst(2), radix: 8) }
    if isNotFinite(text) { return .failure(Refusal(message: "JSON has no number \(text)")) }
    guard let shape = NumberShape(bytes) else { return nil }
    return decimal(text, shape)
  }

  private static func isNotFinite(_ text: String) -> Bool {
    let unsigned = text.first == "+" || text.first == "-" ? text.dropFirst() : text[...]
    let isNotANumber = [".nan", ".NaN", ".NAN"].contains(text)
    return isNotANumber || [".inf", ".Inf", ".INF"].contains(unsigned)
  }

  private static func whole(_ digits: Substring, radix: Int) -> Resolution? {
    let isNumber = digits.allSatisfy { $0.isASCII && ($0.hexDigitValue ?? radix) < radix } && !digits.isEmpty
    guard isNumber else { return nil }
    guard let number = UInt64(digits, radix: radix) else { return tooLarge(atMost: integers) }
    // A double holds the number exactly or not at all: its text need not be kept, since JSON has decimals only.
    guard UInt64(exactly: Double(number)) == number else {
      return tooLarge(atMost: "at most \(1 << 53), unless it is decimal")
    }
    return .success(.number(Double(number)))
  }

  private static let integers = "integers are from \(Int64.min) to \(UInt64.max)"

  private static func tooLarge(atMost bound: String) -> Resolution {
    .failure(Refusal(message: "the number is too large: \(bound)", isTooLarge: true))
  }

  private static func decimal(_ text: String, _ shape: NumberShape) -> Resolution {
    guard let number = Double(text), number.isFinite else {
      return tooLarge(atMost: "numbers are up to \(Double.greatestFiniteMagnitude)")
    }
    if shape.isWhole, Int64(text) == nil, UInt64(text) == nil { return tooLarge(atMost: integers) }
    let value = JSONValue.number(number)
    // A value that is only forwarded keeps its text, if JSON permits that notation.
    guard shape.isJSON, text != value.description else { return .success(value) }
    return .success(.verbatim(Verbatim(value, text: text)))
  }
}
