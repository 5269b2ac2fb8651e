import Foundation
import TestSupport
import Testing

/// The guide, executed: its file is written, its commands are run, and their output must equal the printed one.
struct GuideTests {
  @Test func `what the guide shows is what happens`() throws {
    let path = "docs/guide.md"
    var replay = try GuideReplay()
    defer { replay.stop() }
    try Committed.expect(lines: try replay.play(try Committed.lines(of: path)), at: path)
  }
}

/// Executes the steps of the guide in a folder of its own.
private struct GuideReplay {
  /// The folder in the guide's text.
  private static let shownFolder = "/tmp/fridge"

  private let folder: URL
  private let daemon = Process()
  /// A subscriber in another terminal, and the lines that the guide shows of it.
  private var followed: (by: RunningClient, lines: Range<Int>)?

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "guide-\(UUID().uuidString.prefix(8))")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  func stop() {
    if daemon.isRunning {
      daemon.terminate()
      daemon.waitUntilExit()
    }
    try? FileManager.default.removeItem(at: folder)
  }

  /// Returns the guide's lines, with the current output of its commands.
  mutating func play(_ lines: [String]) throws -> [String] {
    var played: [String] = []
    var rest = lines[...]
    while let line = rest.popFirst() {
      if !line.isEmpty, !line.hasPrefix("    ") { try takeFollowed(into: &played) }
      played.append(line)
      if line == "```yaml" {
        let block = rest.prefix { $0 != "```" }
        try write(Array(block))
        played += block
        rest = rest.dropFirst(block.count)
      } else if line.hasPrefix("    $ ") {
        let shown = Self.output(at: rest)
        rest = rest.dropFirst(shown.count)
        let command = String(line.dropFirst(6))
        if command.hasPrefix("signalbox subscribe") {
          let subscriber = try RunningClient(atTerminal: command, socket: folder.path + "/socket")
          followed = (subscriber, played.count..<played.count + shown.count)
          // It is subscribed once it has printed the held value.
          _ = try followed?.by.lines(1)
        }
        played += try run(command) ?? shown
      }
    }
    return played
  }

  /// Inserts a subscriber's output at its place in the guide, with the guide's times.
  private mutating func takeFollowed(into played: inout [String]) throws {
    guard let (follower, lines) = followed else { return }
    followed = nil
    defer { follower.stop() }
    let printed = try follower.lines(lines.count)
    for (line, number) in zip(printed, lines) {
      let time = played[number].dropFirst(4).prefix { $0 != " " }
      played[number] = "    \(time)" + line.drop { $0 != " " }
    }
  }

  /// Returns the output below a command: indented lines, and blank ones between them.
  private static func output(at lines: ArraySlice<String>) -> [String] {
    let block = lines.prefix { ($0.isEmpty || $0.hasPrefix("    ")) && !$0.hasPrefix("    $ ") }
    return Array(block.prefix((block.lastIndex { !$0.isEmpty } ?? block.startIndex - 1) - block.startIndex + 1))
  }

  /// Writes a block: one that begins a file creates it, any other is appended.
  private func write(_ lines: [String]) throws {
    let file = folder.appending(path: "fridge.yaml")
    let isWhole = lines.first?.hasPrefix("signalbox:") == true
    let before = isWhole ? "" : try String(contentsOf: file, encoding: .utf8)
    let text = lines.map { $0 + "\n" }.joined().replacing(Self.shownFolder, with: folder.path)
    try (before + text).write(to: file, atomically: true, encoding: .utf8)
  }

  /// Runs a command on a terminal; `nil` for those whose output is not compared.
  private func run(_ command: String) throws -> [String]? {
    if command.hasPrefix("signalboxd") {
      try startDaemon()
      return nil
    }
    if ["mkdir", "cd ", "export", "signalbox subscribe"].contains(where: command.hasPrefix) { return nil }
    let script = "cd \(folder.path); PATH=\(Client.program.deletingLastPathComponent().path):$PATH; \(command)"
    let result = try Client.run(
      program: "/usr/bin/script", ["--quiet", "--command", script, "/dev/null"], socket: folder.path + "/socket")
    let output = result.output.replacing("\r\n", with: "\n").replacing(folder.path, with: Self.shownFolder)
    return output.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map {
      $0.isEmpty ? "" : "    \($0)"
    }
  }

  private func startDaemon() throws {
    daemon.executableURL = URL(filePath: Client.path + "d")
    daemon.arguments = ["--config", folder.appending(path: "fridge.yaml").path]
    let errors = Pipe()
    daemon.standardError = errors
    try daemon.run()
    var log = ""
    while !log.contains("ready") {
      let more = errors.fileHandleForReading.availableData
      try #require(!more.isEmpty, "the daemon has ended: \(log)")
      log += String(decoding: more, as: UTF8.self)
    }
  }
}
