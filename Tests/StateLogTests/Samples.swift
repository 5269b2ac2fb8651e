import Glibc
import Linux
import TestSupport
import Testing

@testable import StateLog

/// Returns the hash after a commit, also used by a snapshot there.
private func sampleHash(of number: UInt64) -> UInt64 {
  var random = SplitMix(seed: number &* 31)
  return random.next()
}

extension Commit {
  /// Returns a reproducible commit.
  static func sample(_ number: UInt64, bytes: Int? = nil) -> Commit {
    var random = SplitMix(seed: number)
    let count = bytes ?? Int(random.next() % 90)
    return Commit(
      number: number, time: 1_760_000_000_000_000 + Int64(number) * 1000, count: Int(random.next() % 9),
      entries: .random(count, &random), hash: sampleHash(of: number))
  }
}

extension Snapshot {
  /// Returns a reproducible snapshot.
  static func sample(_ number: UInt64, bytes: Int = 300) -> Snapshot {
    var random = SplitMix(seed: ~number)
    return Snapshot(
      number: number, time: 1_760_000_000_000_000 + Int64(number) * 1000, hash: sampleHash(of: number),
      configuration: Array("graphs: {g: {}} # \(number)".utf8), state: .random(bytes, &random))
  }
}

extension [UInt8] {
  static func random(_ count: Int, _ random: inout SplitMix) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count + 7) { buffer, initialized in
      let bytes = UnsafeMutableRawBufferPointer(buffer)
      for offset in stride(from: 0, to: count, by: 8) {
        bytes.storeBytes(of: random.next(), toByteOffset: offset, as: UInt64.self)
      }
      initialized = count
    }
  }
}

extension StateFolder {
  func commits(after number: UInt64 = 0) throws(StorageError) -> [Commit] {
    var commits: [Commit] = []
    try forEachCommit(after: number) { commits.append($0) }
    return commits
  }
}

extension FolderReader {
  func commits(after number: UInt64 = 0) throws(StorageError) -> [Commit] {
    var commits: [Commit] = []
    try forEachCommit(after: number) { commits.append($0) }
    return commits
  }
}

/// The recovered contents of a folder.
struct Recovered: Equatable {
  var snapshot: Snapshot?
  var commits: [Commit]

  init(snapshot: Snapshot? = nil, commits: [Commit]) {
    self.snapshot = snapshot
    self.commits = commits
  }

  init(_ folder: StateFolder) throws(StorageError) {
    snapshot = try folder.newestSnapshot()
    commits = try folder.commits(after: snapshot?.number ?? 0)
  }

  init(at path: String) throws(StorageError) { try self.init(StateFolder(path)) }

  /// - Parameter boot: The id of a boot of the machine.
  init(at path: String, on boot: UInt64) throws(StorageError) {
    try self.init(StateFolder(FolderPath(path: path, boot: boot)))
  }

  /// The number of the last commit, in the snapshot or after it.
  var last: UInt64 { commits.last?.number ?? snapshot?.number ?? 0 }
}

/// A writer, and its reported progress.
final class Writing: Sendable {
  let writer: StateLogWriter
  private let heard: Monitor<[Progress]>

  init(_ folder: StateFolder, _ limits: WriterLimits = WriterLimits()) throws(StorageError) {
    let heard = Monitor<[Progress]>([])
    let own = Monitor<StateLogWriter?>(nil)
    self.heard = heard
    let writer = try folder.makeWriter(limits) {
      guard let writer = own.withLock({ $0 }) else { return }
      heard.withLock { $0.append(writer.progress) }
      heard.ring()
    }
    own.withLock { $0 = writer }
    self.writer = writer
    self.own = own
  }

  // Retains itself until it is closed.
  private let own: Monitor<StateLogWriter?>

  func append(_ commits: some Sequence<Commit>, synced: Bool = true) {
    for commit in commits { writer.append(commit, synced: synced) }
  }

  /// Waits for a progress, after a number of others were reported.
  func progress(after count: Int = 0, _ isReached: (Progress) -> Bool) -> Progress? {
    heard.wait(until: .now() + .seconds(600)) { told in
      let progress = writer.progress
      return told.count >= count && isReached(progress) ? progress : nil
    }
  }

  /// The reports so far.
  var told: [Progress] { heard.withLock { $0 } }

  /// Closes it.
  @discardableResult
  func close() -> Progress {
    writer.close()
    own.withLock { $0 = nil }
    return writer.progress
  }
}

/// The files of a folder.
enum Files {
  static func read(_ path: String) -> [UInt8]? { try? RegularFile.read(path, limit: 1 << 30) }

  static func write(_ bytes: [UInt8], to path: String) throws { try RegularFile.write(bytes, to: path) }

  /// Returns the size of a file, or 0 without one.
  static func size(_ path: String) -> Int {
    var status = stat()
    return stat(path, &status) == 0 ? Int(status.st_size) : 0
  }

  static func mode(_ path: String) -> UInt32? { FilePermissions(path: path)?.mode }

  /// Copies the database, its log and its mark, as a killed process would leave them.
  static func copy(_ folder: String, to other: String) throws {
    try #require(mkdir(other, 0o700) == 0 || errno == EEXIST)
    for name in ["state.sqlite", "state.sqlite-wal", "state.sqlite-mark"] {
      if let bytes = read("\(folder)/\(name)") { try write(bytes, to: "\(other)/\(name)") }
    }
  }
}
