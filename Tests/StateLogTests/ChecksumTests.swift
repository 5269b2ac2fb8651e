import Testing

@testable import StateLog

@Suite struct Checksums {
  @Test func `the checksum is the CRC-64 of XZ`() {
    var checksum = Checksum()
    Array("123456789".utf8).withUnsafeBytes { checksum.add(unprefixed: $0) }
    #expect(UInt64(bitPattern: checksum.value) == 0x995D_C9BB_DF19_39FA)
  }

  @Test func `numbers and bytes count alike however they are cut`() {
    var whole = Checksum()
    whole.add(0x0807_0605_0403_0201 as UInt64)
    var cut = Checksum()
    for byte: UInt8 in 1...8 { withUnsafeBytes(of: byte) { cut.add(unprefixed: $0) } }
    #expect(cut.value == whole.value)
  }

  @Test func `a byte that moves from one column to the next changes the checksum`() {
    var (first, second) = (Checksum(), Checksum())
    first.add([1, 2])
    first.add([3] as [UInt8])
    second.add([1] as [UInt8])
    second.add([2, 3])
    #expect(first.value != second.value)
  }
}
