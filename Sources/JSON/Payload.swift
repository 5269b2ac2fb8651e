/// A JSON value that keeps the bytes it came in until its parts are asked for.
///
/// Graphs pass these on: a value that passes untouched is copied, and never parsed or printed again.
package enum Payload: Sendable {
  /// Valid JSON text, without white space around it.
  case raw(RawJSON)
  case value(JSONValue)

  /// The value, taken apart now unless it has been before.
  package var value: JSONValue {
    switch self {
    case .raw(let raw): raw.value
    case .value(let value): value
    }
  }
}
