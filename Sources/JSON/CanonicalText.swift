/// The test for a scalar's text that equals the writer's output, so that it need not be stored.
enum CanonicalText {
  /// Returns true if each escape in a string, given with its quotes, is needed and in the writer's form.
  static func isCanonical(string text: UnsafeBufferPointer<UInt8>) -> Bool {
    var index = 1
    while index < text.count - 1 {
      guard text[index] == UInt8(ascii: "\\") else {
        index += 1
        continue
      }
      guard let length = canonicalEscapeLength(text, at: index + 1) else { return false }
      index += 1 + length
    }
    return true
  }

  private static func canonicalEscapeLength(_ text: UnsafeBufferPointer<UInt8>, at index: Int) -> Int? {
    switch text[index] {
    case UInt8(ascii: "/"): return nil
    case UInt8(ascii: "u"):
      let zeros = text[index + 1] == UInt8(ascii: "0") && text[index + 2] == UInt8(ascii: "0")
      guard zeros, let high = controlDigit(text[index + 3]), let low = lowercaseHexDigit(text[index + 4]) else {
        return nil
      }
      return JSONWriter.shortEscape(of: high << 4 | low) == nil ? 5 : nil
    default: return 1
    }
  }

  private static func controlDigit(_ byte: UInt8) -> UInt8? {
    byte == UInt8(ascii: "0") || byte == UInt8(ascii: "1") ? byte & 1 : nil
  }

  private static func lowercaseHexDigit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte & 15
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - 87
    default: nil
    }
  }

  /// Returns true if the text of a number with a point and without an exponent is certainly canonical, found without
  /// writing it.
  ///
  /// No two decimals of up to 15 digits are the same double, so such a text is the shortest for its double; the writer
  /// uses exponents from four zeros after the point on.
  static func isSurelyCanonical(fraction text: UnsafeBufferPointer<UInt8>, of value: Double) -> Bool {
    text.count <= 16 && text.last != UInt8(ascii: "0") && value.magnitude >= 1e-4
  }

  /// Compares a number's text with the writer's output.
  static func isCanonical(number text: UnsafeBufferPointer<UInt8>, of value: Double) -> Bool {
    var writer = JSONWriter()
    writer.write(value)
    return writer.bytes.elementsEqual(text)
  }
}
