/// A client's identifier of its request: a JSON string or number, returned byte for byte.
package struct RequestID: Sendable, Hashable {
  /// The JSON text.
  package let bytes: [UInt8]

  init(validated bytes: [UInt8]) { self.bytes = bytes }

  /// One that was valid before it was encoded.
  package init(kept bytes: [UInt8]) { self.bytes = bytes }

  package init(_ number: Int) { bytes = Array(String(number).utf8) }
}
