internal import Signals
internal import StateLog

/// The frame of a record: fixed fields, two parts of variable length, and a checksum.
///
/// All numbers are little endian:
///
///     "SBL1" kind:1 flags:1 part:2 term:8 number:8 time:8 count:4 hash:8 chain:8
///     length:4 first length:4 second crc64:8
struct RecordBytes: Equatable {
  var kind: UInt8
  var flags: UInt8 = 0
  var part: UInt16 = 0
  var term: UInt64
  var number: UInt64 = 0
  var time: Int64
  var count: UInt32 = 0
  var hash: UInt64 = 0
  var chain: UInt64
  var first: ArraySlice<UInt8> = []
  var second: ArraySlice<UInt8> = []

  static let magic = Array("SBL1".utf8)
  /// The bytes before the first part.
  private static let headSize = 56
  /// The bytes of a record whose parts are empty.
  static let leastSize = headSize + 4 + 8

  var encoded: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Self.leastSize + first.count + second.count)
    bytes += Self.magic
    bytes += [kind, flags]
    bytes.append(littleEndian: part)
    bytes.append(littleEndian: term)
    bytes.append(littleEndian: number)
    bytes.append(littleEndian: UInt64(bitPattern: time))
    bytes.append(littleEndian: count)
    bytes.append(littleEndian: hash)
    bytes.append(littleEndian: chain)
    bytes.append(littleEndian: UInt32(first.count))
    bytes += first
    bytes.append(littleEndian: UInt32(second.count))
    bytes += second
    bytes.append(littleEndian: Checksum.of(bytes[...]))
    return bytes
  }

  init(kind: UInt8, term: UInt64, time: Int64, chain: UInt64) {
    (self.kind, self.term, self.time, self.chain) = (kind, term, time, chain)
  }

  /// Reads a record; the lengths are checked before the checksum, so that a cut record is told apart from a damaged one.
  init(_ bytes: [UInt8]) throws(RecordDamage) {
    guard bytes.count >= Self.leastSize else {
      throw RecordDamage(at: bytes.count, expected: "at least \(Self.leastSize) bytes", found: "the end")
    }
    for (offset, byte) in Self.magic.enumerated() where bytes[offset] != byte {
      throw RecordDamage(at: offset, expected: "the letters SBL1 of a record", found: "byte \(bytes[offset])")
    }
    let firstLength = Int(bytes.littleEndian(at: Self.headSize - 4) as UInt32)
    let firstEnd = Self.headSize + firstLength
    try Self.check(bytes, has: firstEnd + 12)
    let secondStart = firstEnd + 4
    let end = secondStart + Int(bytes.littleEndian(at: firstEnd) as UInt32)
    try Self.check(bytes, has: end + 8)
    guard bytes.count == end + 8 else {
      throw RecordDamage(at: end + 8, expected: "the end", found: "\(bytes.count - end - 8) more bytes")
    }
    let (stored, computed) = (bytes.littleEndian(at: end) as UInt64, Checksum.of(bytes[..<end]))
    guard stored == computed else {
      throw RecordDamage(at: end, expected: "the checksum \(computed.hexadecimal)", found: stored.hexadecimal)
    }
    kind = bytes[4]
    flags = bytes[5]
    part = bytes.littleEndian(at: 6)
    term = bytes.littleEndian(at: 8)
    number = bytes.littleEndian(at: 16)
    time = Int64(bitPattern: bytes.littleEndian(at: 24))
    count = bytes.littleEndian(at: 32)
    hash = bytes.littleEndian(at: 36)
    chain = bytes.littleEndian(at: 44)
    first = bytes[Self.headSize..<firstEnd]
    second = bytes[secondStart..<end]
  }

  private static func check(_ bytes: [UInt8], has count: Int) throws(RecordDamage) {
    guard bytes.count < count else { return }
    throw RecordDamage(at: bytes.count, expected: "\(count - bytes.count) more bytes", found: "the end")
  }

  /// The checksum that stands at the end of a record's bytes; 0 for bytes that are too short for a record.
  static func checksum(of bytes: [UInt8]) -> UInt64 {
    bytes.count < leastSize ? 0 : bytes.littleEndian(at: bytes.count - 8)
  }
}

extension Checksum {
  static func of(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    var checksum = Checksum()
    checksum.add(unprefixed: bytes.span)
    return checksum.bits
  }
}

extension UInt64 {
  /// Sixteen hexadecimal digits.
  var hexadecimal: String {
    let digits = String(self, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}

extension [UInt8] {
  mutating func append(littleEndian number: some FixedWidthInteger & UnsignedInteger) {
    for shift in stride(from: 0, to: number.bitWidth, by: 8) { append(UInt8(truncatingIfNeeded: number >> shift)) }
  }

  /// Reads a number at an offset.
  func littleEndian<Number: FixedWidthInteger & UnsignedInteger>(at offset: Int) -> Number {
    var number: Number = 0
    for place in 0..<Number.bitWidth / 8 { number |= Number(self[offset + place]) << (8 * place) }
    return number
  }
}
