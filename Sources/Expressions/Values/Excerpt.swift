internal import JSON

extension JSONValue {
  /// The start of its JSON text, for errors: eleven bytes, as in jq.
  var excerpt: String {
    let length = 11
    let text = JSONText.start(of: self, limit: 2 * length)
    guard text.utf8.count > length + 3 else { return text }
    var end = text.utf8.index(text.utf8.startIndex, offsetBy: length)
    while end.samePosition(in: text.unicodeScalars) == nil { end = text.utf8.index(before: end) }
    return text[..<end] + "..."
  }

  /// Its type and excerpt, as errors name a value.
  var described: String { "\(typeName) (\(excerpt))" }
}
