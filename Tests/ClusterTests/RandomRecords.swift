import StateLog
import TestSupport

@testable import Cluster

/// Random content of logs, by seed.
struct RandomRecords {
  var random: SplitMix

  init(seed: Int) { random = SplitMix(seed: UInt64(seed)) }

  mutating func bytes(_ count: ClosedRange<Int>) -> [UInt8] {
    (0..<Int.random(in: count, using: &random)).map { _ in .random(in: 0...255, using: &random) }
  }

  mutating func word() -> UInt64 {
    .random(in: 0...UInt64.max >> Int.random(in: 0...63, using: &random), using: &random)
  }

  mutating func text() -> String {
    String(["ä", "node-1", "", "k\u{0}tchen", "日本"].randomElement(using: &random) ?? "")
  }

  mutating func open() -> OpenRecord {
    OpenRecord(
      node: text(), boot: text(), reason: OpenRecord.Reason.allCases.randomElement(using: &random) ?? .start,
      program: text(), format: word(), configuration: word(),
      signals: (0..<Int.random(in: 0...3, using: &random)).map { _ in text() })
  }

  mutating func marker() -> SnapshotMarker {
    SnapshotMarker(
      number: word(), time: Int64(bitPattern: word()), hash: word(), sequence: word(), chain: word(), epoch: text(),
      chunks: (0..<Int.random(in: 0...5, using: &random)).map { _ in word() }, size: Int(word() >> 1),
      checksum: word())
  }

  mutating func commit(_ number: UInt64, size: Int = 40) -> Commit {
    Commit(
      number: number, time: Int64(bitPattern: word()), count: Int(UInt32.random(in: 0...UInt32.max, using: &random)),
      entries: bytes(0...size), hash: word())
  }

  mutating func record() -> LogRecord {
    let content: LogRecord.Content =
      switch Int.random(in: 0..<5, using: &random) {
      case 0: .open(open())
      case 1: .close(CloseRecord(successor: Bool.random(using: &random) ? "attic" : nil))
      case 2: .snapshot(marker())
      case 3: .chunk(SnapshotChunk(number: word(), index: 7, count: 9, bytes: bytes(0...40)[...]))
      default: .commit(CommitPart.parts(of: commit(word()), told: bytes(0...40), size: 32)[0])
      }
    var time = Int64(bitPattern: word())
    switch content {
    case .commit(let part): time = part.time
    case .snapshot(let marker): time = marker.time
    default: break
    }
    return LogRecord(term: word(), chain: word(), time: time, content)
  }
}
