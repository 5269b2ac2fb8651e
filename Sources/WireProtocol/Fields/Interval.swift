package import JSON

/// A duration in the form of the configuration: `250ms`, `2s`, `1m30s`, `1h`.
package struct Interval: FieldValue, Equatable {
  package static var expectation: String { "a duration such as \"250ms\", \"2s\" or \"1m30s\"" }

  package let text: String
  package let duration: Duration

  /// - Returns: `nil` for another form, and for zero.
  package init?(_ text: String) {
    var rest = text.utf8[...]
    var duration = Duration.zero
    var largestLeft = Duration.seconds(Int64.max)
    while !rest.isEmpty {
      guard let (amount, unit) = Self.readPart(&rest), unit < largestLeft else { return nil }
      duration += unit * amount
      largestLeft = unit
    }
    guard duration > .zero else { return nil }
    self.text = text
    self.duration = duration
  }

  /// Parses an amount and its unit; each unit occurs once, larger ones first.
  private static func readPart(_ rest: inout Substring.UTF8View) -> (amount: Double, unit: Duration)? {
    let digits = rest.prefix { 0x30...0x39 ~= $0 || $0 == UInt8(ascii: ".") }
    let letters = rest.dropFirst(digits.count).prefix { 0x61...0x7A ~= $0 }
    guard digits.count <= 12, digits.last != UInt8(ascii: "."), digits.first != UInt8(ascii: "."),
      let amount = Double(Substring(digits)), let unit = units[String(Substring(letters))]
    else { return nil }
    rest = rest.dropFirst(digits.count + letters.count)
    return (amount, unit)
  }

  private static let units: [String: Duration] = [
    "us": .microseconds(1), "ms": .milliseconds(1), "s": .seconds(1), "m": .seconds(60), "h": .seconds(3600),
    "d": .seconds(86400),
  ]

  package init?(field: RawJSON) {
    guard let text = String(field: field) else { return nil }
    self.init(text)
  }

  package func write(to writer: inout JSONWriter) { writer.write(text) }
}
