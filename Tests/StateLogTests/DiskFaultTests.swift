import DiskFaults
import Glibc
import Linux
import TestSupport
import Testing

@testable import StateLog

/// A short run of a writer with every operation: synced and unsynced commits, snapshots of one part and of several,
/// deleting, moving the log, freeing space, closing and reopening.
private struct Script {
  /// So small that this run reaches each of them.
  static let limits = WriterLimits(
    syncDelay: .milliseconds(5), markDelay: .milliseconds(5), fullLog: 24, leastLog: 8, portion: 6000, keptPages: 4)

  /// The claims of the writer at some moment.
  struct Claim: Equatable {
    /// The number of disk operations so far.
    var operations: Int
    var written: UInt64 = 0
    var synced: UInt64 = 0
    var snapshot: UInt64 = 0
  }

  private final class Ears: Sendable {
    let writer = Monitor<StateLogWriter?>(nil)
    let claims = Monitor<[Claim]>([])
  }

  private(set) var claims: [Claim] = []
  /// The failure that ended it early.
  private(set) var failure: StorageError?
  /// The number of failures after which space became available again.
  private(set) var overcome = 0

  static func commit(_ number: UInt64) -> Commit { .sample(number, bytes: number % 7 == 0 ? 9000 : 200) }

  static func snapshot(_ number: UInt64) -> Snapshot { .sample(number, bytes: number % 2 == 0 ? 15_000 : 100) }

  /// Runs completely, or up to the first failure; on a full disk, space is made available.
  mutating func run(_ path: String, _ disk: FaultyDisk) {
    do throws(StorageError) {
      for round: UInt64 in 0..<2 where failure == nil { try half(path, disk, after: round * 18) }
    } catch {
      failure = error
    }
  }

  private mutating func half(_ path: String, _ disk: FaultyDisk, after base: UInt64) throws(StorageError) {
    let folder = try StateFolder(path)
    let ears = Ears()
    let writer = try folder.makeWriter(Self.limits) {
      guard let progress = ears.writer.withLock({ $0 })?.progress else { return }
      let claim = Claim(
        operations: disk.operations, written: progress.written, synced: progress.synced,
        snapshot: progress.snapshot ?? 0)
      ears.claims.withLock { $0.append(claim) }
      ears.claims.ring()
    }
    ears.writer.withLock { $0 = writer }
    defer {
      writer.close()
      failure = failure ?? writer.progress.failure
      claims += ears.claims.withLock { $0 }
      ears.writer.withLock { $0 = nil }
    }
    func reaches(_ isReached: (Progress) -> Bool) -> Bool {
      while true {
        let progress = ears.claims.wait(until: .now() + .seconds(600)) { _ in
          let progress = writer.progress
          return progress.failure != nil || isReached(progress) ? progress : nil
        }
        guard progress?.failure?.kind == .full else { return progress.map { $0.failure == nil } ?? false }
        overcome += 1
        disk.mend()
        writer.retry()
        // The failure is reported until the next try.
        _ = ears.claims.wait(until: .now() + .seconds(600)) { _ in
          writer.progress.failure == nil ? true : nil
        }
      }
    }
    for number in base + 1...base + 6 {
      writer.append(Self.commit(number), synced: true)
      guard reaches({ $0.synced == number }) else { return }
    }
    writer.append(Self.snapshot(base + 4))
    for number in base + 7...base + 14 { writer.append(Self.commit(number), synced: false) }
    guard reaches({ $0.synced == base + 14 && $0.snapshot == base + 4 }) else { return }
    writer.append(Self.snapshot(base + 13))
    guard reaches({ $0.snapshot == base + 13 }) else { return }
    for number in base + 15...base + 18 {
      writer.append(Self.commit(number), synced: number % 2 == 0)
      guard reaches({ $0.written == number }) else { return }
    }
  }

  /// Checks that a folder holds a prefix of this run that includes all claims.
  static func check(
    _ recovered: Recovered, atLeast claim: Claim, last: UInt64, _ comment: Comment,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let number = recovered.snapshot?.number ?? 0
    #expect(
      number >= claim.snapshot && recovered.last >= last, "\(comment): \(number), \(recovered.last); told \(claim)",
      sourceLocation: sourceLocation)
    #expect(
      recovered.snapshot == nil || recovered.snapshot == snapshot(number), comment, sourceLocation: sourceLocation)
    #expect(
      recovered.commits == (0..<UInt64(recovered.commits.count)).map { commit(number + 1 + $0) }, comment,
      sourceLocation: sourceLocation)
  }
}

@Suite struct `Faulty disks` {
  private let place = TemporaryFolder(inMemory: true)

  /// A recorded run: its claims, its trace, and its initial files.
  private func watched() throws -> (script: Script, trace: DiskTrace, beginning: [String: [UInt8]]) {
    let path = place("state")
    // A writer removes the empty log that opening a folder without one leaves.
    withExtendedLifetime(try StateFolder(path).makeWriter {}) {}
    let beginning = try Self.beginning(path)
    #expect(Files.read("\(path)/state.sqlite-wal") == nil)
    var script = Script()
    do {
      let disk = FaultyDisk(path, trace: place("trace"))
      script.run(path, disk)
      #expect(script.failure == nil)
    }
    return (script, DiskTrace(bytes: try #require(Files.read(place("trace")))), beginning)
  }

  /// Returns the files of a closed folder.
  private static func beginning(_ path: String) throws -> [String: [UInt8]] {
    let names = ["state.sqlite", "state.sqlite-mark"]
    return try Dictionary(uniqueKeysWithValues: names.map { ($0, try #require(Files.read("\(path)/\($0)"))) })
  }

  /// Returns the writer's claims before an operation began.
  private func claim(_ script: Script, before operation: Int) -> Script.Claim {
    script.claims.last { $0.operations < operation } ?? Script.Claim(operations: 0)
  }

  /// The boot after a power cut.
  private static let nextBoot: UInt64 = 1

  private func recovered(_ files: [String: [UInt8]], on boot: UInt64 = LogMark.boot) throws -> Recovered {
    let path = place("found")
    #expect(mkdir(path, 0o700) == 0 || errno == EEXIST)
    for name in ["state.sqlite", "state.sqlite-wal", "state.sqlite-shm", "state.sqlite-mark"] {
      unlink("\(path)/\(name)")
    }
    for (name, bytes) in files { try Files.write(bytes, to: "\(path)/\(name)") }
    return try Recovered(at: path, on: boot)
  }

  @Test func `the run does everything, and ends with what it was given`() throws {
    let (script, trace, beginning) = try watched()
    var model = DiskModel(beginning)
    for operation in trace.operations { model.apply(operation) }
    #expect(model.afterKill == (try Self.beginning(place("state"))))
    #expect(try recovered(model.afterKill) == Recovered(at: place("state")))
    #expect(script.claims.last?.synced == 36 && script.claims.last?.snapshot == 31)
    let kinds = trace.operations.map(\.kind)
    // More than at the two ends, which each move the log, sync the database and delete the log.
    let moved = trace.operations.filter { if case .sync = $0.kind { $0.file == "state.sqlite" } else { false } }
    #expect(moved.count > 2)
    #expect(kinds.contains { if case .delete = $0 { true } else { false } })
    #expect(kinds.contains { if case .create = $0 { true } else { false } })
    #expect(kinds.contains { if case .truncate = $0 { true } else { false } })
    #expect(trace.operations.count > 150)
  }

  @Test func `a process that is killed at any operation leaves what it reported`() throws {
    let (script, trace, beginning) = try watched()
    var model = DiskModel(beginning)
    for (index, operation) in trace.operations.enumerated() {
      var half = model
      if case .write(let bytes, let place) = operation.kind {
        let third = Array(bytes.prefix(bytes.count / 3))
        half.apply(.init(file: operation.file, kind: .write(third, at: place), succeeded: true))
      }
      let claim = claim(script, before: index + 1)
      for files in [model.afterKill, half.afterKill] {
        Script.check(try recovered(files), atLeast: claim, last: claim.written, "before operation \(index + 1)")
      }
      model.apply(operation)
    }
  }

  @Test func `a power cut at any operation leaves what was reported as synced`() throws {
    let (script, trace, beginning) = try watched()
    var model = DiskModel(beginning)
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SplitMix(seed: seed)
    for (index, operation) in trace.operations.enumerated() {
      let claim = claim(script, before: index + 1)
      for attempt in 0..<4 {
        Script.check(
          try recovered(model.afterPowerCut(&random), on: Self.nextBoot), atLeast: claim, last: claim.synced,
          "before operation \(index + 1), attempt \(attempt) with seed \(seed)")
      }
      model.apply(operation)
    }
  }

  /// Runs with a fault at each operation in turn, until the run has fewer.
  private func forEachFault(
    _ fault: (Int) -> FaultyDisk.Fault,
    _ body: (_ number: Int, _ path: String, _ disk: FaultyDisk, _ script: inout Script) throws -> Void
  ) throws {
    for number in 1... {
      let path = place("state-\(number)")
      withExtendedLifetime(try StateFolder(path).makeWriter {}) {}
      let disk = FaultyDisk(path, fault(number), trace: place("trace-\(number)"))
      var script = Script()
      try body(number, path, disk, &script)
      if !disk.hasHappened {
        #expect(number > 100)
        return
      }
    }
  }

  @Test func `an operation that fails ends the writing, and loses nothing that was reported`() throws {
    try forEachFault({ .failing(at: $0) }) { number, path, disk, script in
      let beginning = try Self.beginning(path)
      script.run(path, disk)
      // A fault that a shorter run has not reached must not affect the checks.
      disk.mend()
      let claim = claim(script, before: .max)
      if let failure = script.failure {
        #expect(failure.kind == .failed, "operation \(number): \(failure)")
        // After the failing operation there is none, including the end of the connection.
        #expect(disk.operations == number, "operation \(number)")
      } else {
        // The log that could not be deleted is no longer needed.
        #expect(claim.synced == 36, "operation \(number)")
      }
      Script.check(try Recovered(at: path), atLeast: claim, last: claim.written, "operation \(number)")

      // Data that the kernel has lost at a sync is on no disk.
      var model = DiskModel(beginning)
      let trace = DiskTrace(bytes: Files.read(place("trace-\(number)")) ?? [])
      for operation in trace.operations { model.apply(operation) }
      var random = SplitMix(seed: UInt64(number))
      for attempt in 0..<3 {
        let recovered = try recovered(model.afterPowerCut(&random), on: Self.nextBoot)
        Script.check(recovered, atLeast: claim, last: claim.synced, "operation \(number), attempt \(attempt)")
      }
    }
  }

  @Test func `a disk that is full at any operation delays everything, and loses nothing`() throws {
    var delayed = 0
    try forEachFault({ .full(at: $0) }) { number, path, disk, script in
      script.run(path, disk)
      disk.mend()
      delayed += script.overcome
      // At the end no space is made available: written commits stay in the log.
      if let failure = script.failure { #expect(failure.kind == .full, "operation \(number): \(failure)") }
      let claim = claim(script, before: .max)
      #expect(claim.written == 36 || script.failure != nil && claim.written == 18, "operation \(number)")
      Script.check(try Recovered(at: path), atLeast: claim, last: claim.written, "operation \(number)")
    }
    #expect(delayed > 100)
  }

  @Test(arguments: [1, 2, 20, 77, 140], [true, false])
  func `a process can be killed at an operation`(number: Int, before: Bool) async throws {
    let (path, trace) = (place("state"), place("trace"))
    withExtendedLifetime(try StateFolder(path).makeWriter {}) {}
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [path = path as String, trace = trace as String, number = number as Int, before = before as Bool] in
      var script = Script()
      script.run(path, FaultyDisk(path, .killing(at: number, before: before), trace: trace))
    }
    #expect(DiskTrace(bytes: Files.read(trace) ?? []).operations.count == (before ? number - 1 : number))
    let recovered = try Recovered(at: path)
    Script.check(recovered, atLeast: Script.Claim(operations: 0), last: 0, "operation \(number)")
    #expect(recovered.last > 0 || number < 20)
  }
}
