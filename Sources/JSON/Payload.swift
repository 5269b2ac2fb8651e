/// A JSON value that stays unparsed until its parts are accessed.
///
/// Graphs forward these: an unchanged value is copied, and never parsed or printed again.
package enum Payload: Sendable {
  /// Valid JSON text, without white space around it.
  case raw(RawJSON)
  case value(JSONValue)

  /// The value, parsed on first access.
  package var value: JSONValue {
    switch self {
    case .raw(let raw): raw.value
    case .value(let value): value
    }
  }
}
