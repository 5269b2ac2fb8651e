import Foundation
import Glibc
import GraphEngine
import JSON
import Linux
import TestSupport
import Testing

@testable import Daemon

/// Log files rotated by the real `logrotate`, and the folders and links changed by installers and `cronolog`.
@Suite struct `Log files as they are really treated` {
  private static let logrotate = "/usr/sbin/logrotate"
  private let folder = TemporaryFolder()

  private func start(_ signal: String, map: String = ".") throws -> TestDaemon {
    mkdir(folder("logs"), 0o700)
    return try HostKind.inProcess.start("g: {signals: {t: {tail: \(signal), pipe: [{map: \(map)}], replay: 1000}}}")
  }

  private func append(_ text: String, to name: String = "logs/app.log") throws {
    try RegularFile.append(Array(text.utf8), to: folder(name))
  }

  private func expect(_ lines: [String], in daemon: TestDaemon) throws {
    let signal = try #require((daemon.host as? LoopHost)?.daemon.hub.runtime.signal(named: "g.t"))
    do {
      try daemon.iteration(within: .seconds(20)) { signal.sequence >= UInt64(lines.count) }
    } catch {
      Issue.record("\(error)")
    }
    #expect(signal.retained.latest(1000).map { $0.payload.value } == lines.map { .string($0) })
  }

  private func rotate(_ options: String) throws {
    try RegularFile.write(
      Array("\(folder("logs"))/app.log {\nrotate 3\nsize 1\n\(options)\n}\n".utf8), to: folder("conf"))
    chmod(folder("conf"), 0o600)
    let process = Process()
    process.executableURL = URL(filePath: Self.logrotate)
    process.arguments = ["--force", "--state", folder("rotation"), folder("conf")]
    try process.run()
    process.waitUntilExit()
    // With the date in its name, a file is rotated once a day.
    try #require(process.terminationStatus == 0 || options.contains("dateext"))
  }

  @Test(
    .enabled(if: access(logrotate, X_OK) == 0, "logrotate is not installed"),
    arguments: [
      "create", "nocreate", "copytruncate", "create\ncompress", "copytruncate\ncompress",
      "create\ncompress\ndelaycompress",
      "create\ndateext", "nocreate\nolddir old\ncreateolddir 700",
    ], [false, true])
  func `no line is lost or emitted twice that was read before, or came into the new file`(
    options: String, isGlob: Bool
  ) throws {
    let daemon = try start(
      isGlob
        ? "{path: \"\(folder("logs"))/*.log\", glob: true, from: start}"
        : "{path: \(folder("logs"))/app.log, from: start}", map: isGlob ? ".value" : ".")
    var lines: [String] = []
    for round in 1...3 {
      for number in 1...round {
        lines.append("line \(number) of round \(round)")
        try append("\(lines.last ?? "")\n")
      }
      try expect(lines, in: daemon)
      try rotate(options)
    }
    try append("last\n")
    try expect(lines + ["last"], in: daemon)
  }

  @Test(arguments: ["file", "folder", "parent", "moved"], [false, true])
  func `a log is followed on when what it stands in was removed and made again`(kind: String, isGlob: Bool) throws {
    mkdir(folder("a"), 0o700)
    let path = folder("a/b/logs")
    let daemon = try start(
      isGlob ? "{path: \"\(path)/*.log\", glob: true, from: start}" : "{path: \(path)/app.log, from: start}",
      map: isGlob ? ".value" : ".")
    var lines: [String] = []
    for round in 1...3 {
      for name in ["a", "a/b", "a/b/logs"] { mkdir(folder(name), 0o700) }
      for number in 1...2 {
        lines.append("line \(number) of round \(round)")
        try append("\(lines.last ?? "")\n", to: "a/b/logs/app.log")
        try expect(lines, in: daemon)
      }
      if kind == "moved" {
        rename(folder("a/b"), folder("a/old.\(round)"))
        continue
      }
      unlink(folder("a/b/logs/app.log"))
      if round == 2 { try daemon.host.iteration() }
      if kind != "file" { rmdir(path) }
      if round > 1 { try daemon.host.iteration() }
      if kind == "parent" { for name in ["a/b", "a"] { rmdir(folder(name)) } }
    }
  }

  @Test(arguments: ["link", "chain", "folder"], [false, true])
  func `a link that is set to another file, or leads to one that comes later, is followed`(
    kind: String, isGlob: Bool
  ) throws {
    mkdir(folder("links"), 0o700)
    func iteration(to day: String) {
      let name = kind == "folder" ? "logs/way" : kind == "chain" ? "links/between" : "links/now.log"
      symlink(folder("logs/\(day)"), folder("new"))
      rename(folder("new"), folder(name))
    }
    let path = kind == "folder" ? folder("logs/way") : folder("links")
    if kind == "chain" { symlink(folder("links/between"), folder("links/now.log")) }
    let daemon = try start(
      isGlob ? "{path: \"\(path)/*.log\", glob: true, from: start}" : "{path: \(path)/now.log, from: start}",
      map: isGlob ? ".value" : ".")
    var lines: [String] = []
    for day in ["monday", "tuesday", "wednesday", "monday"] {
      iteration(to: day)
      try daemon.host.iteration()
      if kind == "folder" { mkdir(folder("logs/\(day)"), 0o700) }
      for number in 1...3 {
        lines.append("\(day) \(number) \(lines.count)")
        try append("\(lines.last ?? "")\n", to: kind == "folder" ? "logs/\(day)/now.log" : "logs/\(day)")
        try expect(lines, in: daemon)
      }
    }
  }

  @Test func `a removed file is closed, and what its writer adds until then is read`() throws {
    let daemon = try start("{path: \(folder("logs"))/app.log, from: start}")
    try append("1\n2")
    try expect(["1"], in: daemon)
    unlink(folder("logs/app.log"))
    // The line without a terminator counts once the file is closed.
    try expect(["1", "2"], in: daemon)
  }
}
