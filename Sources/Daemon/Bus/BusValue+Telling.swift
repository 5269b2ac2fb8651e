import JSON
import Linux

extension BusValue {
  /// The variant in which a value of a signal is told.
  ///
  /// D-Bus has no null, for which an empty signature stands: nothing else is told as one. Nor do its strings hold zeros;
  /// they come as the replacement character.
  static func told(_ value: JSONValue) -> BusValue {
    switch value.plain {
    case .null, .verbatim: .variant(.signature, .string(""))
    case .bool(let isTrue): .variant(.boolean, .bool(isTrue))
    case .number(let number): told(value.exactInteger ?? .double(number))
    case .string(let text): .variant(.string, .string(text.withoutZeros))
    case .array(let elements): .variant(.array(.variant), .list(elements.map(told)))
    case .object(let object):
      .variant(
        .dictionary(key: .string, value: .variant),
        .dictionary(object.members.map { Member(key: $0.key.withoutZeros, value: told($0.value)) }))
    }
  }

  /// A number, of the same type whatever its size: readers expect the one that it had last time.
  private static func told(_ number: BusValue) -> BusValue {
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
