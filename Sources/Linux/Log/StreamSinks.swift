/// A sink for lines of text on stderr, for terminals.
struct TextSink: LogSink {
  let identifier: String
  private let stream = LogStream()

  init(identifier: String) { self.identifier = identifier }

  func write(_ record: LogRecord) { stream.write(record, line) }

  func line(_ record: LogRecord) -> String {
    var line = "\(identifier): "
    if record.level <= .warning { line += "\(record.level.name): " }
    line += record.message
    for field in record.fields { line += " \(field.name)=\(field.value.visible)" }
    // Continuation lines are indented, so that they cannot be mistaken for records.
    return line.split(separator: "\n", omittingEmptySubsequences: false).map { String($0).visible }
      .joined(separator: "\n    ") + "\n"
  }
}

/// A sink for JSON objects on stderr, one per line.
struct JSONLinesSink: LogSink {
  private let stream = LogStream()

  func write(_ record: LogRecord) { stream.write(record, Self.line) }

  static func line(_ record: LogRecord) -> String {
    var line = #"{"time":"\#(record.time.text)","level":"\#(record.level.name)","message":\#(quoted(record.message))"#
    for field in record.fields { line += ",\(quoted(field.name)):\(quoted(field.value))" }
    return line + "}\n"
  }

  /// Returns a JSON string (RFC 8259).
  private static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\t": result += "\\t"
      case "\r": result += "\\r"
      case "\u{0}"..<" ":
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
