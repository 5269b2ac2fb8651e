/// The text of one valid JSON value, parsed at most once.
package final class RawJSON: Sendable {
  package let bytes: [UInt8]

  /// Takes over text that the parser has found valid.
  package init(validated bytes: [UInt8]) { self.bytes = bytes }

  package var value: JSONValue { fatalError("parser to come") }
}
