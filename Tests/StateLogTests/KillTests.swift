import Glibc
import Linux
import TestSupport
import Testing

@testable import StateLog

@Suite struct `Killed processes` {
  private static let rounds = Int(CurrentProcess.environment("KILLED_WRITERS") ?? "") ?? 12

  /// Writes until it is killed, and records the reported progress beside the folder.
  private static func write(_ path: String, for delay: UInt32, _ random: inout SplitMix) throws {
    let folder = try StateFolder(path)
    let note = OwnedDescriptor(owning: open("\(path)/told", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600))
    let told = Told()
    let writer = try folder.makeWriter {
      guard let progress = told.writer.withLock({ $0 })?.progress else { return }
      told.writer.ring()
      withUnsafeBytes(of: (progress.synced, progress.snapshot ?? 0, progress.written)) {
        _ = pwrite(note.number, $0.baseAddress, $0.count, 0)
      }
    }
    told.writer.withLock { $0 = writer }
    _ = try Thread("killer") {
      usleep(delay)
      kill(getpid(), SIGKILL)
    }
    var number = writer.progress.written
    while true {
      number += 1
      writer.append(.sample(number), synced: random.next() % 3 == 0)
      if random.next() % 200 == 0 { writer.append(Snapshot.sample(number, bytes: Int(random.next() % 1_500_000))) }
      // No further ahead than a daemon would be.
      _ = told.writer.wait(until: nil) { _ in writer.progress.written + 50 < number ? nil : true }
    }
  }

  private final class Told: Sendable {
    let writer = Monitor<StateLogWriter?>(nil)
  }

  @Test func `a writer that is killed at any moment has written all it reported, and nothing else`() async throws {
    let place = TemporaryFolder()
    var random = SplitMix(seed: UInt64.random(in: 0...UInt64.max))
    var last: UInt64 = 0
    for round in 0..<Self.rounds {
      let seed = random.next()
      let delay = UInt32(random.next() % 120_000)
      let path = place("state")
      await #expect(processExitsWith: .signal(SIGKILL)) {
        [path = path as String, seed = seed as UInt64, delay = delay as UInt32] in
        var random = SplitMix(seed: seed)
        try Self.write(path, for: delay, &random)
      }
      // The file is empty until the first report.
      let note = Files.read("\(path)/told") ?? []
      let told = note.isEmpty ? (0, 0, 0) : note.withUnsafeBytes { $0.load(as: (UInt64, UInt64, UInt64).self) }
      let folder = try StateFolder(path)
      let recovered = try Recovered(folder)
      #expect(recovered.last >= told.2 && recovered.last >= last, "round \(round), seed \(seed)")
      #expect(recovered.snapshot?.number ?? 0 >= told.1)
      if let snapshot = recovered.snapshot {
        #expect(snapshot == .sample(snapshot.number, bytes: snapshot.state.count))
      }
      for (index, commit) in recovered.commits.enumerated() {
        #expect(commit == .sample((recovered.snapshot?.number ?? 0) + UInt64(index) + 1))
      }
      last = recovered.last
    }
    #expect(last > 0)
  }
}
