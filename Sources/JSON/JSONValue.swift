/// A JSON value, taken apart.
///
/// Strings compare by their bytes (RFC 8259 knows no normalisation), numbers as doubles.
package enum JSONValue: Sendable {
  case null
  case bool(Bool)
  case number(Double)
  case string(String)
  case array([JSONValue])
  case object(JSONObject)
  /// A number or a string whose text in the source differs from how the writer would put it (`1.10`, `"\u00e9"`).
  ///
  /// It is written as it was read for as long as it is only moved; `plain` gives the value to compute with.
  case verbatim(Verbatim)

  /// The value without its source text: never `.verbatim`.
  package var plain: JSONValue {
    if case .verbatim(let verbatim) = self { verbatim.value } else { self }
  }
}

/// A scalar together with the text that its sender wrote.
package final class Verbatim: Sendable {
  package let value: JSONValue
  package let text: String

  package init(_ value: JSONValue, text: String) {
    self.value = value
    self.text = text
  }
}
