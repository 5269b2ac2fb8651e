/// The reason for which a source is not an expression, and its place.
package struct ExpressionSyntaxError: Error, Sendable, Equatable {
  package let message: String
  /// The first character (Unicode scalar) that the error is about, counted from 0.
  package let offset: Int
  /// The number of characters that the error is about; 0 at the end of the source.
  package let length: Int
  /// The name that was probably intended.
  package let suggestion: String?

  init(_ fault: SyntaxFault, in source: String) {
    message = fault.message
    suggestion = fault.suggestion
    offset = Self.characters(in: source.utf8.prefix(fault.range.lowerBound))
    length = Self.characters(in: source.utf8.prefix(fault.range.upperBound)) - offset
  }

  private static func characters(in bytes: some Sequence<UInt8>) -> Int {
    bytes.reduce(0) { $1 & 0xC0 == 0x80 ? $0 : $0 + 1 }
  }
}
