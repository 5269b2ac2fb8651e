import JSON
import Linux
import StateLog
import TestSupport
import Testing

@testable import Persistence

@Suite struct `The repair of a state folder` {
  private static let flips = Int(CurrentProcess.environment("FLIPPED_BITS") ?? "") ?? 100

  /// Returns the content of a closed folder of about ten pages.
  private static func fill() throws -> TemporaryFolder {
    let host = try DurableHost(
      """
      g:
        durable: true
        signals:
          in: {input: {}}
          sum: {from: in, pipe: [{scan: {initial: 0, next: $state + .}}]}
      """)
    for value in 1...300 {
      host.send(.number(Double(value)), to: "g.in")
      host.settle()
    }
    let folder = try host.copyOfState()
    // The end of the last use takes the log into the database.
    let writer = try StateFolder(folder.path).makeWriter {}
    writer.close()
    return folder
  }

  @Test func `counts the lost commits that the mark knows of, wherever the database is damaged`() throws {
    let folder = try Self.fill()
    let last = try FolderReader(folder.path).lastNumber()
    let database = folder("state.sqlite")
    let bytes = try RegularFile.read(database, limit: 1 << 30)
    var damages = 0
    for start in stride(from: 0, to: bytes.count, by: max(64, bytes.count / 100)) {
      let end = min(start + 64, bytes.count)
      try RegularFile.write(bytes[..<start] + Array(repeating: 0xA5, count: end - start) + bytes[end...], to: database)
      guard let forecast = try? StateRepair(of: FolderReader(folder.path)), forecast.damage != nil else { continue }
      #expect(forecast.last.number + forecast.lostCommits == last, "byte \(start)")
      damages += 1
    }
    #expect(damages > 10)
  }

  @Test func `succeeds wherever it is forecast`() throws {
    let folder = try Self.fill()
    let database = folder("state.sqlite")
    let bytes = try RegularFile.read(database, limit: 1 << 30)
    var random = SplitMix(seed: UInt64.random(in: 0...UInt64.max))
    var repaired = 0
    for _ in 0..<Self.flips {
      let (offset, bit) = (Int.random(in: bytes.indices, using: &random), Int.random(in: 0..<8, using: &random))
      var damaged = bytes
      damaged[offset] ^= 1 << bit
      try RegularFile.write(damaged, to: database)
      let forecast: StateRepair
      do { forecast = try StateRepair(of: FolderReader(folder.path)) } catch { continue }
      do throws(StorageError) {
        let repair = try StateRepair.carryOut(in: folder.path)
        #expect(repair.last.number == forecast.last.number, "byte \(offset), bit \(bit)")
        if repair.damage != nil { repaired += 1 }
        #expect(try StateRepair(of: FolderReader(folder.path)).damage == nil, "byte \(offset), bit \(bit)")
      } catch {
        Issue.record("byte \(offset), bit \(bit): \(error)")
      }
    }
    #expect(repaired > Self.flips / 4)
  }
}
