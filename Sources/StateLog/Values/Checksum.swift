/// The CRC-64 (that of XZ, reflected ECMA-182) of a row's columns.
///
/// It detects every burst of up to 64 bits, and all but one in 2^64 of other errors. Numbers count as eight bytes, and
/// the bytes of a column are preceded by their count, so that no byte can shift between columns.
package struct Checksum {
  private var register = UInt64.max

  package init() {}

  /// The value as a signed integer of SQLite.
  var value: Int64 { Int64(bitPattern: ~register) }

  /// The value as it stands in a record.
  package var bits: UInt64 { ~register }

  package mutating func add(_ number: UInt64) {
    register = Self.tables.withUnsafeBufferPointer { Self.stepped(register ^ number, $0) }
  }

  mutating func add(_ number: Int64) { add(UInt64(bitPattern: number)) }

  mutating func add(_ bytes: [UInt8]) {
    add(UInt64(bytes.count))
    bytes.withUnsafeBytes { add(unprefixed: $0) }
  }

  mutating func add(_ text: String) { add(Array(text.utf8)) }

  package mutating func add(unprefixed bytes: Span<UInt8>) {
    bytes.withUnsafeBytes { add(unprefixed: $0) }
  }

  mutating func add(unprefixed bytes: UnsafeRawBufferPointer) {
    Self.tables.withUnsafeBufferPointer { tables in
      var crc = register
      let whole = bytes.count & ~7
      var offset = 0
      while offset < whole {
        let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
        crc = Self.stepped(crc ^ word, tables)
        offset += 8
      }
      while offset < bytes.count {
        crc = tables[Int(UInt8(truncatingIfNeeded: crc) ^ bytes[offset])] ^ (crc >> 8)
        offset += 1
      }
      register = crc
    }
  }

  /// Processes eight bytes at once: the table of the k-th byte includes k trailing zero bytes ("slicing by 8", Kounavis
  /// and Berry).
  @inline(__always)
  private static func stepped(_ word: UInt64, _ tables: UnsafeBufferPointer<UInt64>) -> UInt64 {
    var crc: UInt64 = 0
    var rest = word
    var table = 7 << 8
    while table >= 0 {
      let byte = Int(UInt8(truncatingIfNeeded: rest))
      crc ^= tables[table + byte]
      rest >>= 8
      table -= 256
    }
    return crc
  }

  private static let tables: [UInt64] = {
    var tables = (0..<256).map { (byte: UInt64) -> UInt64 in
      var crc = byte
      for _ in 0..<8 { crc = (crc >> 1) ^ (crc & 1 == 1 ? 0xC96C_5795_D787_0F42 : 0) }
      return crc
    }
    for index in 256..<2048 {
      let previous = tables[index - 256]
      tables.append(tables[Int(previous & 0xff)] ^ (previous >> 8))
    }
    return tables
  }()
}

extension Commit {
  var checksum: Int64 {
    var checksum = Checksum()
    checksum.add(number)
    checksum.add(time)
    checksum.add(Int64(count))
    checksum.add(entries)
    checksum.add(hash)
    return checksum.value
  }
}

extension Snapshot {
  var checksum: Int64 {
    var checksum = Checksum()
    checksum.add(number)
    checksum.add(time)
    checksum.add(hash)
    checksum.add(configuration)
    checksum.add(state)
    return checksum.value
  }
}
