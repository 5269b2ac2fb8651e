import CSystemd
import Foundation
import Glibc
import TestSupport
import Testing

/// The development loop.
struct DevTests {
  private static let graph = """
    signalbox: 1
    server: {socket: {path: /nowhere/socket, group: nosuch}, state: /nowhere/state}
    graphs:
      g:
        durable: true
        signals:
          number: {input: {type: number}}
          limit: {property: {initial: 3, type: number}}
          high:
            combine: {number: number, limit: limit}
            pipe: [{map: .number > .limit}, skip_repeats]
            hold: true
        tests:
          - name: a high number
            script: [{at: 0s, send: {number: 5}}, {at: 0s, expect: {high: true}}]
    """

  /// A running `dev` with a folder of its own.
  private final class Session {
    let folder = TemporaryFolder()
    let terminal: Terminal
    private(set) var process = Process()

    init(rows: UInt16 = 30, columns: UInt16 = 100, _ options: [String] = [], graph: String = DevTests.graph) throws {
      BrokenPipes.fail
      terminal = try Terminal(rows: rows, columns: columns)
      try FileManager.default.createDirectory(atPath: folder("run"), withIntermediateDirectories: true)
      try write(graph)
      process = try terminal.run(
        ["dev", file] + options, socket: "/nowhere",
        ["TERM": "xterm", "NO_COLOR": "1", "XDG_RUNTIME_DIR": folder("run")])
    }

    var file: String { folder("g.yaml") }

    func write(_ text: String, atomically: Bool = true) throws {
      try text.write(toFile: file, atomically: atomically, encoding: .utf8)
    }

    /// What is left of its private folder.
    var remains: [String] { (try? FileManager.default.contentsOfDirectory(atPath: folder("run"))) ?? [] }

    /// The processes that it has started.
    func children() throws -> [Int32] {
      let number = process.processIdentifier
      let text = try String(contentsOfFile: "/proc/\(number)/task/\(number)/children", encoding: .utf8)
      return text.split(separator: " ").compactMap { Int32($0) }
    }

    func quit() throws {
      terminal.type("q")
      _ = try terminal.read(until: "\u{1b}[?1049l")
      process.waitUntilExit()
      #expect(process.terminationStatus == 0)
      #expect(terminal.echoes)
      #expect(remains.isEmpty)
    }
  }

  @Test func `each save is checked, tested and reloaded, and the end leaves nothing`() throws {
    let session = try Session(graph: Self.graph.replacing("map: .number", with: "mop: .number"))
    let terminal = session.terminal
    let page = try terminal.read(until: "did you mean \"map\"?")
    #expect(page.contains("check   1 error") && page.contains("daemon  not started"))
    _ = try terminal.read(until: "^~~")
    try session.write(Self.graph)
    _ = try terminal.read(until: "check   1 graph, 3 signals, no errors")
    _ = try terminal.read(until: "1 test passed")
    _ = try terminal.read(until: "started")
    // A failed test does not prevent the reload, whose losses are listed.
    try session.write(Self.graph.replacing("initial: 3", with: "initial: 7"), atomically: false)
    _ = try terminal.read(until: "reloaded: kept 1, lost the state of 2, changed g.limit, g.high")
    _ = try terminal.read(until: "failed: g: a high number")
    _ = try terminal.read(until: "lost: g.limit: 1 value (changed)")
    try session.write(Self.graph.replacing("skip_repeats", with: "skip_repeat"))
    _ = try terminal.read(until: "the last valid configuration stays active")
    try FileManager.default.removeItem(atPath: session.file)
    _ = try terminal.read(until: "cannot read \(session.file): No such file or directory")
    try session.write(Self.graph)
    _ = try terminal.read(until: "1 test passed")
    try session.quit()
  }

  @Test func `a value is sent and explained, and state is kept between saves`() throws {
    let session = try Session()
    let terminal = session.terminal
    _ = try terminal.read(until: "started")
    terminal.type("sg.n\t5x")
    _ = try terminal.read(until: "send SIGNAL VALUE: g.number 5x▏")
    terminal.type("\u{7f}\r")
    _ = try terminal.read(until: "sent g.number 5")
    _ = try terminal.read(until: "g.high        true")
    terminal.type("wg.high\r")
    _ = try terminal.read(until: "needs ")
    terminal.type("sg.numbr 5\r")
    _ = try terminal.read(until: "did you mean \"g.number\"?")
    terminal.type("sg.number five\r")
    _ = try terminal.read(until: "five is not JSON; a text is in quotes: \"five\"")
    try session.write(Self.graph + "\n")
    _ = try terminal.read(until: "reloaded: kept 3")
    #expect(try terminal.read(until: "q quit").contains("g.high        true"))
    terminal.type("r")
    _ = try terminal.read(until: "g.number      - ")
    #expect(try terminal.read(until: "q quit").contains("g.high        - "))
    try session.quit()
  }

  @Test(arguments: [40, 80])
  func `the page of a browser is one link, and a narrow screen tells how to quit`(columns: UInt16) throws {
    let session = try Session(columns: columns, ["--view"])
    let link = "\u{1b}]8;id=page;http://127.0.0.1:"
    _ = try session.terminal.read(until: link)
    let page = try link + session.terminal.read(until: "\u{1b}[J")
    let address = try #require(page.firstMatch(of: ##/\d+/#token=[0-9a-f]{32}(?=\u{1b})/##)).output
    let shown = page.split(whereSeparator: \.isNewline).map {
      $0.replacing(##/\u{1b}\]8;[^\u{1b}]*\u{1b}\\|\u{1b}\[[0-9;?]*[a-zA-Z]/##, with: "")
    }
    #expect(shown.joined().contains(address) && shown.allSatisfy { $0.count <= columns }, "\(shown)")
    #expect(shown.last?.contains("q quit") == true && shown.last?.contains("…") == false, "\(shown)")
    try session.quit()
  }

  @Test func `a value that a reload discards is shown no longer`() throws {
    let graph = """
      signalbox: 1
      graphs:
        g:
          signals:
            in: {input: {type: number}}
            sum: {from: in, pipe: [{scan: {initial: 0, next: $state + .}}], hold: true}
      """
    let session = try Session(graph: graph)
    let terminal = session.terminal
    _ = try terminal.read(until: "started")
    terminal.type("sg.in 5\r")
    _ = try terminal.read(until: "g.sum         5 ")
    try session.write(graph.replacing("initial: 0", with: "initial: 10"))
    _ = try terminal.read(until: "lost: g.sum: scan, 1 value")
    _ = try terminal.read(until: "g.sum         - ")
    try session.quit()
  }

  @Test func `with --fresh each save begins without state`() throws {
    let session = try Session(["--fresh"])
    _ = try session.terminal.read(until: "started, without state")
    session.terminal.type("sg.number 5\r")
    _ = try session.terminal.read(until: "g.high        true")
    try session.write(Self.graph + "\n")
    _ = try session.terminal.read(until: "g.number      - ")
    #expect(try session.terminal.read(until: "q quit").contains("g.high        - "))
    try session.quit()
  }

  @Test func `a killed daemon is started again, and goes when this program is killed`() throws {
    let session = try Session()
    _ = try session.terminal.read(until: "started")
    _ = try session.terminal.read(until: "1 test passed")
    kill(try #require(try session.children().first), SIGKILL)
    _ = try session.terminal.read(until: "killed by SIGKILL, started")
    let daemon = try #require(try session.children().first)
    let end = signalbox_pidfd_open(daemon)
    defer { close(end) }
    kill(session.process.processIdentifier, SIGKILL)
    session.process.waitUntilExit()
    var entry = pollfd(fd: end, events: Int16(POLLIN), revents: 0)
    #expect(poll(&entry, 1, 20_000) == 1)
    // The next one removes the folder.
    #expect(session.remains.count == 1)
    let once = try Client.run("dev", "--once", session.file, environment: ["XDG_RUNTIME_DIR": session.folder("run")])
    #expect(once.status == 0)
    #expect(session.remains.isEmpty)
  }

  @Test func `it ends while a test runs`() throws {
    let slow = """
      signalbox: 1
      graphs:
        g:
          signals: {t: {interval: 1ms}}
          tests: [{name: long, script: [{at: 40000h, expect: {t: 1}}]}]
      """
    let session = try Session(graph: slow)
    _ = try session.terminal.read(until: "started")
    #expect(try session.children().count == 2)
    try session.quit()
  }

  @Test func `it fits a small terminal, and a signal ends it`() throws {
    let session = try Session(rows: 10, columns: 40, graph: Self.graph.replacing("initial: 3", with: "initial: 7"))
    _ = try session.terminal.read(until: "1 of 1 test failed")
    session.terminal.resize(rows: 12, columns: 40)
    kill(session.process.processIdentifier, SIGWINCH)
    let page = try session.terminal.read(until: "\u{1b}[J").components(separatedBy: "\u{1b}[H").last ?? ""
    let lines = page.split(whereSeparator: \.isNewline)
    #expect(lines.count <= 12)
    #expect(lines.allSatisfy { $0.replacing(/\u{1b}\[[0-9;?]*[a-zA-Z]/, with: "").count <= 40 })
    kill(session.process.processIdentifier, SIGTERM)
    session.process.waitUntilExit()
    #expect(session.process.terminationStatus == 0)
    #expect(session.remains.isEmpty)
  }

  @Test func `effects are real and announced, and withheld in a dry run`() throws {
    let folder = TemporaryFolder()
    let graph = """
      signalbox: 1
      graphs:
        g:
          signals:
            in: {input: {}}
            done: {from: in, pipe: [{call: touch}], hold: true}
            count: {from: in, pipe: [{scan: {initial: 0, next: $state + 1}}], hold: true}
            out: {file: \(folder("written")), write: true}
            copied: {from: in, pipe: [{send_to: out}]}
          actions: {touch: {exec: [/bin/sh, -c, 'touch \(folder("called")); echo yes']}}
      """
    let dry = try Session(["--dry-run"], graph: graph)
    #expect(try dry.terminal.read(until: "started").contains("effects dry run: calls and files are withheld"))
    dry.terminal.type("sg.in 1\r")
    _ = try dry.terminal.read(until: "sent g.in 1")
    dry.terminal.type("sg.in 2\r")
    _ = try dry.terminal.read(until: "g.count")
    // A call counts as done, so that the next one begins.
    _ = try dry.terminal.read(until: "sent g.in 2")
    try dry.quit()
    #expect(!FileManager.default.fileExists(atPath: folder("called")))
    #expect(!FileManager.default.fileExists(atPath: folder("written")))
    let real = try Session(graph: graph)
    #expect(
      try real.terminal.read(until: "started").contains("effects calls and files are real; --dry-run withholds them"))
    real.terminal.type("sg.in 1\r")
    _ = try real.terminal.read(until: "g.done             \"yes\"")
    try real.quit()
    #expect(FileManager.default.fileExists(atPath: folder("called")))
  }

  @Test func `changes in conf_d are noticed, and other files there are ignored`() throws {
    let session = try Session()
    let terminal = session.terminal
    _ = try terminal.read(until: "started")
    let folder = session.folder("conf.d")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try "x".write(toFile: folder + "/.a.yaml.swp", atomically: false, encoding: .utf8)
    let more = "signalbox: 1\ngraphs: {h: {signals: {a: {property: {initial: 1}}}}}\n"
    try more.write(toFile: folder + "/a.yaml", atomically: true, encoding: .utf8)
    let page = try terminal.read(until: "reloaded: kept 3, added h.a")
    #expect(!page.contains("reloaded: kept 3  "))
    try session.quit()
  }

  @Test func `once it prints plain verdicts, and its status is that of the worst`() throws {
    let run = TemporaryFolder()
    let environment = ["XDG_RUNTIME_DIR": run(""), "TMPDIR": "/tmp"]
    let good = try TemporaryFile(Self.graph)
    let result = try Client.run("dev", "--once", good.path, environment: environment)
    #expect(result.status == 0)
    #expect(
      result.output.replacing(/\ \ [0-9.]+\ m?s\n/, with: "\n")
        == "check: 1 graph, 3 signals, no errors\ntest: 1 test passed\nstart: ready\n")
    let failing = try TemporaryFile(Self.graph.replacing("initial: 3", with: "initial: 7"))
    let failure = try Client.run("dev", "--once", failing.path, environment: environment)
    #expect(failure.status == 1)
    #expect(failure.output.contains("test: 1 of 1 test failed") && failure.output.contains("start: ready"))
    let invalid = try TemporaryFile(Self.graph.replacing("skip_repeats", with: "skip_repeat"))
    let refusal = try Client.run("dev", "--once", invalid.path, environment: environment)
    #expect(refusal.status == 78)
    #expect(refusal.errors.contains("did you mean"))
    #expect(try Client.run("dev", "--once", "/nonexistent.yaml", environment: environment).status == 66)
    let long = "/tmp/" + String(repeating: "x", count: 100)
    #expect(try Client.run("dev", "--once", good.path, environment: ["XDG_RUNTIME_DIR": long]).status == 0)
    let noTerminal = try Client.run("dev", good.path)
    #expect(noTerminal.status == 64 && noTerminal.errors.contains("requires a terminal"))
  }
}
