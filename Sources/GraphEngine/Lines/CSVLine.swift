import GraphModel

/// Parses a line of separated fields according to RFC 4180.
enum CSVLine {
  /// Returns the fields; a quoted one may contain separators and doubled quotes.
  ///
  /// - Throws: `bad_value` for a quote that is not closed in its line, and for text after a closing quote.
  static func fields(of line: ArraySlice<UInt8>, _ separator: UInt8) throws(SignalFailure) -> [String] {
    let quote = UInt8(ascii: "\"")
    var fields: [String] = []
    var rest = line
    while true {
      if rest.first == quote {
        var field: [UInt8] = []
        rest = rest.dropFirst()
        while true {
          guard let end = rest.firstIndex(of: quote) else {
            throw .badValue("invalid CSV line: unterminated quote")
          }
          field += rest[..<end]
          rest = rest[(end + 1)...]
          guard rest.first == quote else { break }
          field.append(quote)
          rest = rest.dropFirst()
        }
        fields.append(String(decoding: field, as: UTF8.self))
      } else {
        let end = rest.firstIndex(of: separator) ?? rest.endIndex
        fields.append(String(decoding: rest[..<end], as: UTF8.self))
        rest = rest[end...]
      }
      guard let next = rest.first else { return fields }
      guard next == separator else { throw .badValue("invalid CSV line: text after a closing quote") }
      rest = rest.dropFirst()
    }
  }
}
