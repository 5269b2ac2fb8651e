import JSON
import StateLog
import Testing

@testable import Persistence

/// The times of snapshots.
@Suite struct SnapshotPaceTests {
  @Test func `no snapshot is taken while one is being written`() throws {
    let host = try DurableHost(
      "g: {durable: {history: {size: 1MiB}}, signals: {a: {input: {}, replay: 40}}}")
    let text = JSONValue.string(String(repeating: "x", count: 200_000))
    var taken: Set<UInt64> = []
    for _ in 1...60 {
      let last = host.present.snapshots.last
      host.send(text, to: "g.a")
      host.settleOnce()
      guard host.present.snapshots.last != last else { continue }
      taken.insert(last)
      #expect(host.present.writer.progress.snapshot ?? 0 >= last)
    }
    #expect(taken.count > 1)
  }
}
