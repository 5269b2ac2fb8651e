/// A client's name for its request: a JSON string or number, given back byte for byte.
package struct RequestID: Sendable, Hashable {
  /// The JSON text.
  package let bytes: [UInt8]

  init(validated bytes: [UInt8]) { self.bytes = bytes }

  package init(_ number: Int) { bytes = Array(String(number).utf8) }
}
