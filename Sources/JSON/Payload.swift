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

  /// The text of an object with an outline, whose members can be read in place.
  package var outlined: RawJSON? {
    switch self {
    case .raw(let raw): raw.hasOutline ? raw : nil
    case .value(.object(let object)): object.text
    case .value: nil
    }
  }

  /// Returns true if both are the same value, for most texts without decoding them.
  package func isSame(as other: Payload) -> Bool {
    if case .raw(let raw) = self, case .raw(let other) = other, let isSame = raw.isSame(as: other) { return isSame }
    return value == other.value
  }
}
