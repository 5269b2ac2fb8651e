import Glibc
import GraphEngine
import JSON
import Linux
import TestSupport
import Testing

@testable import Daemon

@Suite struct `Folders that graphs watch` {
  private let folder = TemporaryFolder()

  private func start(_ signals: String) throws -> TestDaemon {
    try HostKind.inProcess.start("g: {signals: {\(signals)}}")
  }

  private static let short = "pipe: [{map: '\"\\(.event) \\(.path // \"\" | split(\"/\") | last)\"'}], replay: 100"

  private func write(_ text: String, to name: String) throws {
    let file = OwnedDescriptor(owning: open(folder(name), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600))
    try file.transfer.writeAll(text)
  }

  /// Waits until a signal has emitted exactly these values.
  private func expect(_ values: [String], of signal: String, in daemon: TestDaemon) throws {
    let host = try #require(daemon.host as? LoopHost)
    let signal = try #require(host.daemon.hub.runtime.signal(named: signal))
    try daemon.iteration { signal.sequence >= UInt64(values.count) }
    #expect(signal.retained.latest(100).map { $0.payload.value.description } == values.map { "\"\($0)\"" })
  }

  @Test func `a folder is followed through every change, also before it exists`() throws {
    let daemon = try start(
      "w: {watch: {folder: \(folder("in")), pattern: '**/*.c'}, \(Self.short)}, n: {watch: \(folder("in")), \(Self.short)}"
    )
    mkdir(folder("in"), 0o700)
    mkdir(folder("in/deep"), 0o700)
    try write("1", to: "in/deep/a.c")
    try expect(["created a.c"], of: "g.w", in: daemon)
    try write("1", to: "in/b.c")
    try write("1", to: "in/b.h")
    try expect(["created a.c", "created b.c"], of: "g.w", in: daemon)
    try expect(["created b.c", "created b.h"], of: "g.n", in: daemon)
    try write("22", to: "in/deep/a.c")
    try expect(["created a.c", "created b.c", "changed a.c"], of: "g.w", in: daemon)
    rename(folder("in"), folder("out"))
    try expect(["created b.c", "created b.h", "removed b.c", "removed b.h"], of: "g.n", in: daemon)
    rename(folder("out"), folder("in"))
    let host = try #require(daemon.host as? LoopHost)
    let signal = try #require(host.daemon.hub.runtime.signal(named: "g.n"))
    try daemon.iteration { signal.sequence == 6 }
    let last = signal.retained.latest(2).map { $0.payload.value.description }
    #expect(last.sorted() == [#""created b.c""#, #""created b.h""#])
  }

  @Test func `a link is followed to its target`() throws {
    try folder.write("1", to: "target")
    mkdir(folder("in"), 0o700)
    symlink(folder("target"), folder("in/l"))
    let daemon = try start("w: {watch: \(folder("in")), \(Self.short)}")
    try daemon.host.iteration()
    try write("22", to: "target")
    try expect(["changed l"], of: "g.w", in: daemon)
    try folder.write("333", to: "new")
    rename(folder("new"), folder("target"))
    try expect(["changed l", "changed l"], of: "g.w", in: daemon)
  }

  @Test func `a lazy signal watches while it has subscribers, and a reload keeps what is known`() throws {
    let daemon = try start("w: {watch: \(folder.path), lazy: true, \(Self.short)}")
    try write("1", to: "a")
    let client = try daemon.connect()
    #expect(try client.ask(#"{"op":"subscribe","signal":"g.w"}"#).contains(#""reply":"subscribe""#))
    try write("1", to: "b")
    #expect(try client.line().contains(#""created b""#))
    try daemon.folder.writeConfiguration(
      "g: {signals: {w: {watch: \(folder.path), lazy: true, \(Self.short)}, x: {input: {}}}}")
    #expect(try client.ask("reload").contains(#""kept":["g.w"]"#))
    try write("22", to: "a")
    #expect(try client.line().contains(#""changed a""#))
  }

  // In a process of its own, since other tests increase this one's memory.
  @Test(.disabled(if: BuiltProgram.isSanitized, "a sanitizer holds freed memory"))
  func `ten thousand files take less than 2 kB each`() throws {
    let daemon = try HostKind.program.start("g: {signals: {w: {watch: \(folder.path)}}}")
    let process = try #require(daemon.host as? ProgramHost).process
    let client = try daemon.connect()
    _ = try client.ask(#"{"op":"subscribe","signal":"g.w","where":".path | endswith(\"last\")"}"#)
    let before = try #require(process.residentBytes)
    for number in 1..<10_000 { try write("", to: "a file with a name of usual length \(number)") }
    try write("", to: "last")
    #expect(try client.line().contains("/last\""))
    let perFile = (try #require(process.residentBytes) - before) / 10_000
    #expect(perFile < 2000, "\(perFile) bytes")
  }
}
