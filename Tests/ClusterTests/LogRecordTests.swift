import StateLog
import TestSupport
import Testing

@testable import Cluster

@Suite struct LogRecords {
  @Test(arguments: RandomSeeds.first(50, further: "RANDOM_RECORDS"))
  func `a record is read as it was written`(seed: Int) throws {
    var records = RandomRecords(seed: seed)
    for _ in 0..<20 {
      let record = records.record()
      let read = try LogRecord(record.bytes)
      #expect(read == record)
      #expect(read.bytes == record.bytes)
    }
  }

  @Test(arguments: RandomSeeds.first(10, further: "RANDOM_RECORDS"))
  func `each flipped bit is found`(seed: Int) {
    var records = RandomRecords(seed: seed)
    let bytes = records.record().bytes
    for bit in 0..<bytes.count * 8 {
      var damaged = bytes
      damaged[bit / 8] ^= 1 << (bit % 8)
      #expect(throws: RecordDamage.self, "bit \(bit)") { try LogRecord(damaged) }
    }
  }

  @Test(arguments: RandomSeeds.first(10, further: "RANDOM_RECORDS"))
  func `a record that is cut anywhere ends where it was cut`(seed: Int) {
    var records = RandomRecords(seed: seed)
    let bytes = records.record().bytes
    for count in 0..<bytes.count {
      let damage = #expect(throws: RecordDamage.self) { try LogRecord(Array(bytes.prefix(count))) }
      #expect(damage?.offset == count)
      #expect(damage?.found == "the end")
    }
  }

  @Test func `damage is told with its place and what was expected`() {
    let record = LogRecord(term: 7, chain: 0, time: 1, .close(CloseRecord(successor: nil)))
    func description(_ change: (inout [UInt8]) -> Void) -> String? {
      var bytes = record.bytes
      change(&bytes)
      return #expect(throws: RecordDamage.self) { try LogRecord(bytes) }?.description
    }
    #expect(description { $0[2] = 0x4d } == "byte 2: expected the letters SBL1 of a record, found byte 77")
    #expect(description { $0.removeLast() } == "byte 68: expected 1 more bytes, found the end")
    #expect(description { $0.append(0) } == "byte 69: expected the end, found 1 more bytes")
    #expect(description { $0.removeAll() } == "byte 0: expected at least 68 bytes, found the end")
    #expect(description { $0[30] ^= 1 }?.hasPrefix("byte 61: expected the checksum ") == true)
  }

  /// A record with a valid checksum, as a program with a fault or of a newer version writes it.
  private func foreign(_ change: (inout RecordBytes) -> Void) -> String? {
    var record = RecordBytes(kind: 0x78, term: 7, time: 1, chain: 0)
    record.first = CloseRecord(successor: nil).encoded[...]
    change(&record)
    return #expect(throws: RecordDamage.self) { try LogRecord(record.encoded) }?.description
  }

  @Test func `an unknown kind, flag or field is told, though its checksum is valid`() {
    #expect(foreign { $0.kind = 9 } == "byte 4: expected a kind of record (o, x, c, s or k), found byte 9")
    #expect(foreign { $0.flags = 1 } == "byte 5: expected no flags, or 1 in a commit, found 1")
    #expect(
      foreign { $0.first += [1] }
        == "byte 56: expected the fields of its kind, found unexpected data behind the last field")
  }

  @Test(arguments: RandomSeeds.first(30, further: "RANDOM_RECORDS"))
  func `the parts of a commit are within the size and put together again`(seed: Int) {
    var records = RandomRecords(seed: seed)
    let (commit, told) = (records.commit(1, size: 100), records.bytes(0...100))
    let size = Int.random(in: 1...60, using: &records.random)
    let parts = CommitPart.parts(of: commit, told: told, size: size)
    #expect(parts.allSatisfy { $0.entries.count + $0.told.count <= size })
    var assembly = CommitAssembly(parts[0])
    for part in parts.dropFirst() {
      #expect(assembly.commit == nil)
      #expect(assembly.precedes(part))
      assembly.add(part)
    }
    #expect(assembly.commit == commit)
    #expect(assembly.told == told)
  }
}
