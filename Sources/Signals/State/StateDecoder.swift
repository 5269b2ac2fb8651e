/// The decoder of a `StateEncoder`'s bytes.
package struct StateDecoder {
  @usableFromInline let bytes: ArraySlice<UInt8>
  /// The index of the next byte, for a return to it.
  package var place: Int

  package init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    place = bytes.startIndex
  }

  package init(_ bytes: [UInt8]) { self.init(bytes[...]) }

  /// True if all bytes were read.
  package var isAtEnd: Bool { place == bytes.endIndex }

  @inlinable @inline(__always) package mutating func byte() throws(StateError) -> UInt8 {
    guard place < bytes.endIndex else { throw StateError("unexpected end") }
    defer { place += 1 }
    return bytes[place]
  }

  @inlinable @inline(__always) package mutating func number() throws(StateError) -> UInt64 {
    var number: UInt64 = 0
    var shift: UInt64 = 0
    while true {
      let next = try byte()
      guard shift < 63 || next <= 1 else { throw StateError("number out of range") }
      number |= UInt64(next & 0x7f) << shift
      if next < 0x80 { return number }
      shift += 7
    }
  }

  @inlinable @inline(__always) package mutating func signed() throws(StateError) -> Int64 {
    Self.signed(try number())
  }

  /// Returns the signed integer that is written as a number.
  @inlinable @inline(__always) package static func signed(_ number: UInt64) -> Int64 {
    Int64(bitPattern: number >> 1) ^ -Int64(bitPattern: number & 1)
  }

  /// Reads a count of elements that each take at least one byte.
  package mutating func count() throws(StateError) -> Int {
    let number = try number()
    guard number <= UInt64(bytes.endIndex - place) else { throw StateError("count exceeds the remaining data") }
    return Int(number)
  }

  package mutating func bits() throws(StateError) -> UInt64 {
    var bits: UInt64 = 0
    for shift in stride(from: 0, to: 64, by: 8) { bits |= UInt64(try byte()) << UInt64(shift) }
    return bits
  }

  package mutating func text() throws(StateError) -> String {
    guard let text = String(validating: try blob(), as: UTF8.self) else { throw StateError("invalid UTF-8") }
    return text
  }

  package mutating func blob() throws(StateError) -> ArraySlice<UInt8> {
    let count = try count()
    defer { place += count }
    return bytes[place..<place + count]
  }

  /// Reads a part written by `StateEncoder.part`.
  package mutating func part() throws(StateError) -> StateDecoder { StateDecoder(try blob()) }
}
