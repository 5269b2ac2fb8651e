/// The encoder of a state as bytes.
///
/// Counts and numbers take as many bytes as they need (LEB128); texts and parts begin with their length.
package struct StateEncoder: ~Copyable {
  package private(set) var bytes: [UInt8] = []

  package init() {}

  package mutating func byte(_ byte: UInt8) { bytes.append(byte) }

  package mutating func number(_ number: UInt64) {
    var rest = number
    while rest > 0x7f {
      bytes.append(UInt8(rest & 0x7f) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  /// Encodes a number; small ones are short, whatever their sign.
  package mutating func signed(_ number: Int64) {
    self.number(UInt64(bitPattern: number << 1 ^ number >> 63))
  }

  package mutating func count(_ count: Int) { number(UInt64(count)) }

  package mutating func bits(_ bits: UInt64) {
    for shift in stride(from: 0, to: 64, by: 8) { bytes.append(UInt8(truncatingIfNeeded: bits >> shift)) }
  }

  package mutating func text(_ text: String) {
    let utf8 = text.utf8
    count(utf8.count)
    bytes.append(contentsOf: utf8)
  }

  package mutating func blob(_ blob: [UInt8]) { self.blob(blob.span) }

  package mutating func blob(_ blob: Span<UInt8>) {
    count(blob.count)
    blob.withUnsafeBufferPointer { bytes.append(contentsOf: $0) }
  }

  /// Appends bytes that another encoder has written.
  package mutating func append(_ written: ArraySlice<UInt8>) { bytes.append(contentsOf: written) }

  /// Inserts bytes that another encoder has written.
  package mutating func insert(_ written: [UInt8], at offset: Int) { bytes.insert(contentsOf: written, at: offset) }

  /// Encodes a case of an enum: its number, and the values that it carries.
  package mutating func kind<each Value: StateCodable>(_ number: UInt8, _ values: repeat each Value) {
    byte(number)
    repeat (each values).encode(to: &self)
  }

  /// Encodes a part that can be skipped, and is decoded separately.
  package mutating func part(_ write: (inout StateEncoder) -> Void) {
    let start = bytes.count
    bytes.append(0)
    write(&self)
    let count = bytes.count - start - 1
    if count <= 0x7f {
      bytes[start] = UInt8(count)
    } else {
      var length = StateEncoder()
      length.count(count)
      bytes.replaceSubrange(start...start, with: length.bytes)
    }
  }
}
