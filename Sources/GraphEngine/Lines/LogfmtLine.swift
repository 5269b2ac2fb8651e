import GraphModel
import JSON

/// Parses a line of `key=value`, `key="quoted value"` and flags.
struct LogfmtLine {
  private let bytes: ArraySlice<UInt8>
  private var position: Int

  /// Returns the pairs of a line, a flag as true; `nil` for a blank line.
  ///
  /// For a repeated key the last value counts.
  static func object(of bytes: ArraySlice<UInt8>) throws(SignalFailure) -> JSONObject? {
    var line = LogfmtLine(bytes: bytes, position: bytes.startIndex)
    var object = JSONObject()
    while let (key, value) = try line.pair() { object[key] = value }
    return object.members.isEmpty ? nil : object
  }

  private var next: UInt8? { position < bytes.endIndex ? bytes[position] : nil }

  private mutating func pair() throws(SignalFailure) -> (String, JSONValue)? {
    while let byte = next, byte <= UInt8(ascii: " ") { position += 1 }
    guard next != nil else { return nil }
    let key = word { $0 > UInt8(ascii: " ") && $0 != UInt8(ascii: "=") && $0 != UInt8(ascii: "\"") }
    guard !key.isEmpty else { throw Self.fault("missing key", before: next) }
    if next == UInt8(ascii: "\"") { throw Self.fault("a key cannot contain quotes", before: nil) }
    guard next == UInt8(ascii: "=") else { return (key, true) }
    position += 1
    guard next == UInt8(ascii: "\"") else { return (key, .string(word { $0 > UInt8(ascii: " ") })) }
    return (key, .string(try quoted()))
  }

  private mutating func word(_ belongs: (UInt8) -> Bool) -> String {
    let start = position
    while let byte = next, belongs(byte) { position += 1 }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  /// Parses a quoted text with the escapes of JSON.
  private mutating func quoted() throws(SignalFailure) -> String {
    let start = position
    position += 1
    while let byte = next, byte != UInt8(ascii: "\"") { position += byte == UInt8(ascii: "\\") ? 2 : 1 }
    guard position < bytes.endIndex else { throw Self.fault("unterminated quote", before: nil) }
    position += 1
    if let byte = next, byte > UInt8(ascii: " ") { throw Self.fault("missing space after a quote", before: byte) }
    let text = bytes[(start + 1)..<(position - 1)]
    if !text.contains(where: { $0 == UInt8(ascii: "\\") }) { return String(decoding: text, as: UTF8.self) }
    // Control characters may occur unescaped, unlike in JSON.
    let escaped = bytes[start..<position].flatMap { byte -> [UInt8] in
      byte < 0x20 ? Array("\\u00\(byte < 16 ? "0" : "")\(String(byte, radix: 16))".utf8) : [byte]
    }
    guard case .string(let string)? = (try? JSONParser.value(onThisThread: escaped.span))?.plain else {
      throw Self.fault("invalid JSON escape", before: nil)
    }
    return string
  }

  private static func fault(_ what: String, before byte: UInt8?) -> SignalFailure {
    let place = byte.map { " before \"\(Character(UnicodeScalar($0)))\"" } ?? ""
    return .badValue("invalid logfmt line: \(what)\(place)")
  }
}
