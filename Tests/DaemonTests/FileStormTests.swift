import Glibc
import GraphEngine
import JSON
import Linux
import TestSupport
import Testing

@testable import Daemon

/// Files, folders and links that are created, removed and replaced in random order while graphs follow them.
@Suite struct `A storm of file operations` {
  /// Paths in the folder, some through links.
  private static let paths = ["f", "a/f", "a/g", "a/b/f", "link", "way/f"]

  private let folder = TemporaryFolder()

  @Test(arguments: 1...12) func `leaves every signal with what is in its file`(seed: UInt64) throws {
    let signals = Self.paths.enumerated().map { "s\($0): {file: \(folder($1)), hold: true}" }.joined(separator: ", ")
    let daemon = try HostKind.inProcess.start("g: {signals: {\(signals)}}")
    var storm = FileStorm(in: folder.path, seed: seed)
    defer { storm.clear() }
    for _ in 0..<100 {
      storm.step()
      if storm.random(3) == 0 { try daemon.host.iteration() }
    }
    try expectContents(of: daemon)
    // They are still followed after any change.
    storm.restore(Self.paths)
    try expectContents(of: daemon)
    for path in Self.paths { try #require(storm.content(of: path) != nil) }
    for path in Self.paths { storm.write(path) }
    try expectContents(of: daemon)
  }

  private func expectContents(of daemon: TestDaemon) throws {
    let runtime = try #require(daemon.host as? LoopHost).daemon.hub.runtime
    for (index, path) in Self.paths.enumerated() {
      guard let content = try? RegularFile.read(folder(path), limit: 100) else { continue }
      let signal = try #require(runtime.signal(named: "g.s\(index)"))
      let expected = JSONValue.string(String(decoding: content, as: UTF8.self))
      do {
        try daemon.iteration(within: .seconds(2)) { signal.retained.last?.payload.value == expected }
      } catch {
        Issue.record(
          "\(path) holds \(expected), and its signal \(signal.retained.last?.payload.description ?? "nothing")")
      }
    }
  }

  @Test(arguments: 1...6) func `loses no line of files that are rotated`(seed: UInt64) throws {
    let daemon = try HostKind.inProcess.start("g: {signals: {t: {tail: \(folder("t")), replay: 1000}}}")
    let runtime = try #require(daemon.host as? LoopHost).daemon.hub.runtime
    let signal = try #require(runtime.signal(named: "g.t"))
    var storm = FileStorm(in: folder.path, seed: seed)
    for _ in 0..<200 {
      storm.rotateOrAppend("t", keeping: 4)
      // A file removed before it was read is lost.
      if storm.random(6) == 0 || storm.rotations == 4 {
        try daemon.host.iteration()
        storm.rotations = 0
      }
    }
    storm.append("last", to: "t")
    try daemon.iteration(within: .seconds(2)) { signal.retained.last?.payload.value == "last" }
    #expect(signal.retained.latest(1000).map { $0.payload.value } == storm.lines.map { .string($0) })
  }
}

/// Random changes of files in a folder, reproducible by seed.
struct FileStorm {
  private let root: String
  private var state: UInt64
  private var count = 0
  /// The number of rotations since the last read.
  var rotations = 0
  /// All appended lines.
  private(set) var lines: [String] = []

  init(in root: String, seed: UInt64) {
    self.root = root
    state = seed
  }

  mutating func random(_ bound: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int((state >> 33) % UInt64(bound))
  }

  private mutating func pick(_ names: [String]) -> String { names[random(names.count)] }

  private func at(_ path: String) -> String { "\(root)/\(path)" }

  /// Performs one step, which may fail.
  mutating func step() {
    let files = ["f", "a/f", "a/g", "a/b/f", "a/b/h", "c/f", "h"]
    let folders = ["a", "a/b", "c", "c/b"]
    switch random(14) {
    case 0...3: write(pick(files))
    case 4: try? RegularFile.write(fresh(), to: at(pick(files)))
    case 5: unlink(at(pick(files)))
    case 6: rename(at(pick(files)), at(pick(files)))
    case 7, 8: mkdir(at(pick(folders)), 0o700)
    case 9: remove(at(pick(folders)))
    case 10: rename(at(pick(folders)), at(pick(folders)))
    case 11: iteration("link", to: pick(["f", "a/f", at("a/b/f"), "other", "nothing"]))
    case 12: iteration("way", to: pick(["a", "c", "a/b", at("c")]))
    default: iteration("other", to: pick(["h", "a/g", "link"]))
    }
  }

  private mutating func fresh() -> [UInt8] {
    count += 1
    return Array("\(count)".utf8)
  }

  /// Writes in place.
  mutating func write(_ path: String) {
    let content = fresh()
    let number = open(at(path), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard number != -1 else { return }
    let file = OwnedDescriptor(owning: number)
    try? file.transfer.writeAll(content)
  }

  /// Redirects a link atomically.
  private func iteration(_ link: String, to target: String) {
    symlink(target, at("new"))
    rename(at("new"), at(link))
  }

  /// Removes a folder with its contents.
  private func remove(_ path: String) {
    for name in ["b/f", "b/h", "b", "f", "g", "h"] { Glibc.remove("\(path)/\(name)") }
    rmdir(path)
  }

  /// Turns all paths into files again.
  mutating func restore(_ paths: [String]) {
    for name in ["a", "a/b", "c"] { mkdir(at(name), 0o700) }
    iteration("way", to: "a")
    iteration("link", to: "f")
    for path in paths {
      remove(at(path))
      if path != "link" && path != "way/f" { unlink(at(path)) }
      write(path)
    }
  }

  func content(of path: String) -> [UInt8]? { try? RegularFile.read(at(path), limit: 100) }

  func clear() {
    for name in ["a", "c"] { remove(at(name)) }
  }

  // MARK: Rotation

  mutating func rotateOrAppend(_ name: String, keeping past: Int) {
    if random(5) > 0 { return append("\(lines.count)", to: name) }
    for number in stride(from: past, to: 1, by: -1) { rename(at("\(name).\(number - 1)"), at("\(name).\(number)")) }
    rename(at(name), at("\(name).1"))
    rotations += 1
  }

  mutating func append(_ line: String, to name: String) {
    let number = open(at(name), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    guard number != -1 else { return }
    let file = OwnedDescriptor(owning: number)
    guard (try? file.transfer.writeAll(line + "\n")) != nil else { return }
    lines.append(line)
  }
}
