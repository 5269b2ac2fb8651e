/// Reads a line of fields between separators, as RFC 4180 has them.
enum CSVLine {
  /// The fields; in quotes one may have separators in it, and quotes written twice.
  ///
  /// - Throws: `bad_value` for a quote that is not closed in its line, and for text behind one.
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
            throw .badValue("a line that is not CSV: a quote is not closed in its line")
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
      guard next == separator else { throw .badValue("a line that is not CSV: text stands behind a closing quote") }
      rest = rest.dropFirst()
    }
  }
}
