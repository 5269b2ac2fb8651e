package import JSON
package import Linux

extension BusValue {
  /// Converts a value of a signal to the variant that is published.
  ///
  /// D-Bus has no null: an empty signature represents it, and nothing else. Its strings cannot contain NUL, which
  /// becomes the replacement character.
  package static func emission(_ value: JSONValue) -> BusValue {
    switch value.plain {
    case .null, .verbatim: .variant(.signature, .string(""))
    case .bool(let isTrue): .variant(.boolean, .bool(isTrue))
    case .number(let number): emission(value.exactInteger ?? .double(number))
    case .string(let text): .variant(.string, .string(text.withoutZeros))
    case .array(let elements): .variant(.array(.variant), .list(elements.map(emission)))
    case .object(let object):
      .variant(
        .dictionary(key: .string, value: .variant),
        .dictionary(object.members.map { Member(key: $0.key.withoutZeros, value: emission($0.value)) }))
    }
  }

  /// Converts a number, to a type that does not depend on its size: readers expect the type to be stable.
  private static func emission(_ number: BusValue) -> BusValue {
    switch number {
    case .integer: .variant(.int64, number)
    case .unsigned: .variant(.uint64, number)
    default: .variant(.double, number)
    }
  }
}

extension String {
  fileprivate var withoutZeros: String {
    guard utf8.contains(0) else { return self }
    return String(String.UnicodeScalarView(unicodeScalars.map { $0 == "\0" ? "\u{FFFD}" : $0 }))
  }
}
