/// A parsed JSON value.
///
/// Strings compare by their bytes (RFC 8259 has no normalisation), numbers as doubles.
package enum JSONValue: Sendable {
  case null
  case bool(Bool)
  case number(Double)
  case string(String)
  case array([JSONValue])
  case object(JSONObject)
  /// A number or a string whose source text differs from the writer's output (`1.10`, `"\u00e9"`).
  ///
  /// It is written as it was read until it is computed with; `plain` is the value to compute with.
  case verbatim(Verbatim)

  /// The value without its source text: never `.verbatim`.
  package var plain: JSONValue {
    if case .verbatim(let verbatim) = self { verbatim.value } else { self }
  }
}

/// A scalar together with its source text.
package final class Verbatim: Sendable {
  package let value: JSONValue
  package let text: String

  package init(_ value: JSONValue, text: String) {
    self.value = value
    self.text = text
  }
}
