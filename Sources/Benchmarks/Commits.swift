import Glibc
import Linux
import StateLog

/// The cost of one commit on a disk by itself: the lower bound for an answer of a durable graph.
struct CommitFigures {
  /// Microseconds from handing over a commit until it is reported durable, the median and the 99th of a hundred.
  let journalled: (median: Double, high: Double)
  /// These figures for a bare file, with as many bytes appended and synced.
  let bare: (median: Double, high: Double)

  init(bytes: Int, in folder: String, rounds: Int = 3000) throws {
    let entries = [UInt8](repeating: 97, count: bytes)
    bare = try Self.bare(entries, in: folder, rounds)
    journalled = try Self.journalled(entries, in: folder, rounds)
  }

  private static func journalled(_ entries: [UInt8], in folder: String, _ rounds: Int) throws -> (Double, Double) {
    let bell = Monitor(())
    let writer = try StateFolder("\(folder)/state").makeWriter { bell.ring() }
    var number = writer.progress.written
    return Self.times(rounds) {
      number += 1
      writer.append(Commit(number: number, time: 0, count: 1, entries: entries, hash: number), synced: true)
      _ = bell.wait(until: nil) { _ in writer.progress.synced == number ? true : nil }
    }
  }

  private static func bare(_ bytes: [UInt8], in folder: String, _ rounds: Int) throws -> (Double, Double) {
    let path = "\(folder)/bare"
    let file = OwnedDescriptor(owning: open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600))
    defer { unlink(path) }
    return Self.times(rounds) {
      sink += write(file.number, bytes, bytes.count)
      sink += Int(fdatasync(file.number))
    }
  }

  private static func times(_ rounds: Int, _ work: () -> Void) -> (Double, Double) {
    let found = (0..<rounds).map { _ in
      let start = nanoseconds(of: CLOCK_MONOTONIC)
      work()
      return (nanoseconds(of: CLOCK_MONOTONIC) - start) / 1000
    }.sorted()
    return (found[rounds / 2], found[rounds * 99 / 100])
  }
}

func printCommits(in folder: String) throws {
  print("bytes    one commit µs: median    99th    a bare file's sync µs: median    99th")
  for bytes in [100, 10_000, 100_000] {
    let found = try CommitFigures(bytes: bytes, in: folder)
    print(
      column(Double(bytes), 7, digits: 0) + column(found.journalled.median, 21, digits: 0)
        + column(found.journalled.high, 8, digits: 0) + column(found.bare.median, 31, digits: 0)
        + column(found.bare.high, 8, digits: 0))
  }
}
