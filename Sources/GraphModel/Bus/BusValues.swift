package import JSON

extension [JSONValue] {
  /// The arguments of a message as one value: a single one as it is, several as a list, `nil` for none.
  package var together: JSONValue? { count < 2 ? first : .array(self) }
}
