internal import JSON

extension UInt8 {
  var isSpace: Bool { self == 0x20 || self == 0x09 || self == 0x0D }
}

extension Span<UInt8> {
  /// The index of the first byte other than a space.
  var firstNonSpace: Int? { indices.first { !self[$0].isSpace } }

  func equals(_ place: Range<Int>, _ text: StaticString) -> Bool {
    guard place.count == text.utf8CodeUnitCount else { return false }
    for offset in 0..<place.count where self[place.lowerBound + offset] != text.utf8Start[offset] { return false }
    return true
  }

  /// Indicates that the value is a string without escapes.
  func isPlainString(_ place: Range<Int>) -> Bool {
    self[place.lowerBound] == UInt8(ascii: "\"") && !place.contains { self[$0] == UInt8(ascii: "\\") }
  }

  func bytes(_ place: Range<Int>) -> [UInt8] {
    withUnsafeBufferPointer { Array(UnsafeBufferPointer(rebasing: $0[place])) }
  }

  func string(_ place: Range<Int>) -> String {
    withUnsafeBufferPointer { String(decoding: UnsafeBufferPointer(rebasing: $0[place]), as: UTF8.self) }
  }

  /// Returns the key at a position in a valid line, given without its quotes.
  func key(_ place: Range<Int>) -> String {
    if !place.contains(where: { self[$0] == UInt8(ascii: "\\") }) { return string(place) }
    let quoted = RawJSON(validated: bytes((place.lowerBound - 1)..<(place.upperBound + 1)))
    return String(field: quoted) ?? string(place)
  }

  /// The offset of the first byte of invalid UTF-8.
  var firstWrongUTF8: Int? {
    withUnsafeBufferPointer { bytes in
      if String(validating: bytes, as: UTF8.self) != nil { return nil }
      var decoder = UTF8()
      var iterator = bytes.makeIterator()
      var offset = 0
      while case .scalarValue(let scalar) = decoder.decode(&iterator) { offset += UTF8.width(scalar) }
      return offset
    }
  }
}
