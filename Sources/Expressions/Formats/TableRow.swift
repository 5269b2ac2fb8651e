internal import JSON

/// The fields of `@csv` and `@tsv`.
enum TableRow {
  static func csvField(_ value: JSONValue) throws(ExpressionError) -> String {
    switch value.plain {
    case .string(let text): "\"" + Escaping.replace(text) { $0 == UInt8(ascii: "\"") ? "\"\"" : nil } + "\""
    default: try scalar(value, "csv")
    }
  }

  static func tsvField(_ value: JSONValue) throws(ExpressionError) -> String {
    guard case .string(let text) = value.plain else { return try scalar(value, "tsv") }
    return Escaping.replace(text) { byte in
      switch byte {
      case UInt8(ascii: "\t"): "\\t"
      case UInt8(ascii: "\r"): "\\r"
      case UInt8(ascii: "\n"): "\\n"
      case UInt8(ascii: "\\"): "\\\\"
      default: nil
      }
    }
  }

  private static func scalar(_ value: JSONValue, _ format: String) throws(ExpressionError) -> String {
    switch value.plain {
    case .null: return ""
    case .number(let number) where number.isNaN: return ""
    case .bool(let isTrue): return isTrue ? "true" : "false"
    case .number: return JSONText.make(of: value.plain, limit: .max) ?? ""
    default: throw .badValue("\(value.described) is not valid in a \(format) row")
    }
  }
}
