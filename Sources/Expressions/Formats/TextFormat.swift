internal import JSON

/// The formats named by `@`.
enum TextFormat: String, CaseIterable, Sendable {
  case text, json, csv, tsv, html, uri, urid, sh, base64, base64d, base32, base32d

  func apply(to value: JSONValue, _ environment: Environment) throws(ExpressionError) -> String {
    let text: String
    switch self {
    case .text: return try JSONText.string(of: value, environment)
    case .json: return try JSONText.make(of: value, environment)
    case .csv, .tsv: text = try row(of: value, environment)
    case .sh: text = try ShellQuoting.line(of: value, environment)
    default:
      let plain = try JSONText.string(of: value, environment)
      try environment.charge(characters: plain.utf8.count)
      text = try encoded(plain)
    }
    try environment.allow(bytes: text.utf8.count)
    return text
  }

  private func encoded(_ text: String) throws(ExpressionError) -> String {
    switch self {
    case .html: return Escaping.html(text)
    case .uri: return PercentEncoding.encode(text)
    case .urid: return try PercentEncoding.decode(text)
    case .base64: return Base64.encode(Array(text.utf8))
    case .base64d: return try Base64.decode(text)
    case .base32: return Base32.encode(Array(text.utf8))
    case .base32d: return try Base32.decode(text)
    default: return text
    }
  }

  private func row(of value: JSONValue, _ environment: Environment) throws(ExpressionError) -> String {
    guard case .array(let items) = value else {
      throw .badValue("\(value.described) cannot be \(rawValue)-formatted, only array")
    }
    var row = FieldList(separator: self == .csv ? "," : "\t", environment)
    for item in items {
      try row.append(item) { item throws(ExpressionError) in
        try self == .csv ? TableRow.csvField(item) : TableRow.tsvField(item)
      }
    }
    return row.text
  }
}
