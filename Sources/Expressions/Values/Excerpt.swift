internal import JSON

extension JSONValue {
  /// The start of its JSON text, for errors: at most 29 bytes, as in jq, with the closing delimiter.
  var excerpt: String {
    let length = 29
    let text = JSONText.start(of: self, limit: 2 * length)
    guard text.utf8.count > length else { return text }
    let delimiter =
      switch text.utf8.first {
      case UInt8(ascii: "\""): "\""
      case UInt8(ascii: "["): "]"
      case UInt8(ascii: "{"): "}"
      default: ""
      }
    var end = text.utf8.index(text.utf8.startIndex, offsetBy: length - 3 - delimiter.utf8.count)
    while end.samePosition(in: text.unicodeScalars) == nil { end = text.utf8.index(before: end) }
    return text[..<end] + "..." + delimiter
  }

  /// Its type and excerpt, for error messages.
  var described: String { "\(typeName) (\(excerpt))" }
}
