/// A JSON value that keeps the bytes it came in until someone looks inside.
///
/// It is what travels through a graph: what passes untouched is copied, never parsed again nor printed again.
package enum Payload: Sendable {
  /// Valid JSON text, without white space around it.
  case raw(RawJSON)
  case value(JSONValue)

  /// The value, taken apart now if nobody has done so before.
  package var value: JSONValue {
    switch self {
    case .raw(let raw): raw.value
    case .value(let value): value
    }
  }
}
