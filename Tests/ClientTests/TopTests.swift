import Foundation
import Glibc
import TestSupport
import Testing

/// The display of the daemon's counts by `top`.
struct TopTests {
  /// A daemon whose counts advance by two seconds per request.
  private static func daemon() throws -> FakeDaemon {
    let questions = Counter()
    return try FakeDaemon { line in
      let n = questions.next()
      let id = line.split(separator: "\"id\":").last.map { String($0.prefix { $0.isNumber }) } ?? ""
      return [
        """
        {"reply":"stats","id":\(id),"connection":{},"daemon":{"uptime":\(3600 + 2 * n),"generation":3,"connections":2,\
        "memory_bytes":15728640,"failed":1,"subscriptions":4,"held_bytes":2048},"signals":{\
        "g.quiet":{"seq":7,"subscribers":0,"errors":0,"dropped":0,"lost":0,"latency":{"count":0,"sum":0},"age":75.5,\
        "calls":{"waiting":3,"age":125.5,"error":{"code":"timeout","message":"late","age":9}},\
        "failure":{"code":"http","message":"503","age":4},\
        "ended":{"event":"failed","error":{"code":"timeout","message":"no value"},"at":"2026-05-01T12:00:00.000000Z"}},\
        "g.busy":{"seq":\(5000 * n),"subscribers":3,"errors":0,"dropped":0,"lost":\(10 * n),\
        "latency":{"count":\(100 * n),"sum":\(0.01 * Double(n))},"age":0.5}}}
        """
      ]
    }
  }

  private final class Counter: Sendable {
    private let lock = NSLock()
    nonisolated(unsafe) private var count = 0

    func next() -> Int {
      lock.withLock {
        count += 1
        return count
      }
    }
  }

  @Test func `in a pipe it prints one table, by the daemon's clock, the busiest first`() throws {
    let daemon = try Self.daemon()
    defer { daemon.stop() }
    let result = try Client.run("top", "--every", "1ms", socket: daemon.path)
    let quiet = "g.quiet\t0\t0\t0\t7\t0\t0\t0\t75.5\tfailed\t3\t125.5\thttp\n"
    #expect(result.output == "g.busy\t2500\t0.0001\t3\t10000\t0\t0\t20\t0.5\t-\t0\t-\t-\n\(quiet)")
    #expect(try Client.run("top", "--every", "1ms", "g.q**", socket: daemon.path).status == 64)
    #expect(try Client.run("top", "--every", "1ms", "*.quiet", socket: daemon.path).output == quiet)
  }

  @Test func `a pattern that matches nothing is reported, in a pipe and on a terminal`() throws {
    let daemon = try Self.daemon()
    defer { daemon.stop() }
    let refusal = "signalbox: no signal matches nope.*; see signalbox list\n"
    let result = try Client.run("top", "nope.*", socket: daemon.path)
    #expect(result.status == 68)
    #expect(result.errors == refusal)
    #expect(try Terminal(rows: 24, columns: 80).show("top", "nope.*", socket: daemon.path).hasSuffix(refusal))
  }

  @Test func `an option without its argument is not taken for a mistyped one`() throws {
    let missing = try Client.run("top", "--sort")
    #expect(missing.status == 64)
    #expect(missing.errors.contains("--sort") && !missing.errors.contains("did you mean"), "\(missing.errors)")
    #expect(try Client.run("top", "--srt", "x").errors.contains("did you mean --sort?"))
  }

  @Test func `whole counts have no fraction, and one client is one`() throws {
    let daemon = try FakeDaemon { line in
      let id = line.split(separator: "\"id\":").last.map { String($0.prefix { $0.isNumber }) } ?? ""
      return [
        """
        {"reply":"stats","id":\(id),"connection":{},"daemon":{"uptime":60,"generation":1,"connections":1,\
        "subscriptions":1},"signals":{"g.a":{"seq":15,"subscribers":12,"errors":0,"dropped":0,"lost":0,"age":1}}}
        """
      ]
    }
    defer { daemon.stop() }
    let terminal = try Terminal(rows: 24, columns: 120)
    let process = try terminal.run(["top"], socket: daemon.path, ["TERM": "xterm"])
    let screen = try terminal.read(until: "q quit")
    terminal.type("q")
    process.waitUntilExit()
    #expect(screen.contains("1 client, 1 subscription, 0 values/s"), "\(screen)")
    let row = try #require(screen.split(whereSeparator: \.isNewline).first { $0.hasPrefix("g.a") })
    #expect(row.contains(" 12 ") && row.contains(" 15 "), "\(row)")
  }

  @Test func `a user who may not see the counts gets an error`() throws {
    let daemon = try FakeDaemon { _ in [#"{"reply":"stats","id":1,"connection":{}}"#] }
    defer { daemon.stop() }
    let result = try Client.run("top", socket: daemon.path)
    #expect(result.status == 77)
    #expect(result.errors.contains("server.access.stats"))
  }

  @Test(arguments: ["q", "ctrl-C", "SIGTERM"])
  func `in a terminal it draws a table that fits, until it is ended`(end: String) throws {
    let daemon = try Self.daemon()
    defer { daemon.stop() }
    let terminal = try Terminal(rows: 4, columns: 100)
    let process = try terminal.run(["top", "--every", "20ms"], socket: daemon.path)
    let page = try terminal.read(until: "2.50k")
    #expect(page.hasPrefix("\u{1b}[?1049h\u{1b}[?25l"))
    #expect(page.contains("1 FAILED, up ") && page.contains(", 2 clients, 4 subscriptions, "))
    #expect(page.contains("2KiB held, 15"))
    let rows = try terminal.read(until: "\u{1b}[J").split(separator: "\r\n")
    #expect(rows.first { $0.contains("g.quiet") }?.hasSuffix("  failed\u{1b}[m\u{1b}[K\u{1b}[J") == true)
    #expect(rows.first { $0.contains("g.busy") }?.contains("  0s\u{1b}[") == true)
    terminal.resize(rows: 3, columns: 40)
    kill(process.processIdentifier, SIGWINCH)
    _ = try terminal.read(until: "VALUES/S▼          AGE\u{1b}[m")
    #expect(!(try terminal.read(until: "\u{1b}[J").contains("g.quiet")))
    switch end {
    case "q": terminal.type("q")
    case "SIGTERM": kill(process.processIdentifier, SIGTERM)
    default: kill(process.processIdentifier, SIGINT)
    }
    #expect(try terminal.read(until: "\u{1b}[?1049l").hasSuffix("\u{1b}[?25h\u{1b}[?1049l"))
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    #expect(terminal.echoes)
  }

  @Test func `a table is sorted by any column, either way`() throws {
    let daemon = try Self.daemon()
    defer { daemon.stop() }
    func names(_ arguments: String...) throws -> [Substring] {
      let result = try Client.run(["top", "--every", "1ms"] + arguments, socket: daemon.path)
      return result.output.split(separator: "\n").map { $0.prefix { $0 != "\t" } }
    }
    #expect(try names("--sort", "age") == ["g.quiet", "g.busy"])
    #expect(try names("--sort", "age", "--reverse") == ["g.busy", "g.quiet"])
    #expect(try names("--sort", "signal") == ["g.busy", "g.quiet"])
    #expect(try names("--sort", "signal", "-r") == ["g.quiet", "g.busy"])
    // The one without a latency is last in both.
    #expect(try names("--sort", "latency", "-r") == ["g.busy", "g.quiet"])
    let wrong = try Client.run("top", "--sort", "size", socket: daemon.path)
    #expect(wrong.status == 64 && wrong.errors.contains("--sort must be one of signal, values/s, latency, "))
  }

  /// A daemon with thirty quiet signals.
  private static func quietDaemon() throws -> FakeDaemon {
    let signals = (10..<40).map { #""g.s\#($0)":{"seq":1,"age":\#($0)}"# }.joined(separator: ",")
    return try FakeDaemon { line in
      let id = line.split(separator: "\"id\":").last.map { String($0.prefix { $0.isNumber }) } ?? ""
      return [#"{"reply":"stats","id":\#(id),"daemon":{"uptime":1},"signals":{\#(signals)}}"#]
    }
  }

  @Test func `keys scroll, sort and filter`() throws {
    let daemon = try Self.quietDaemon()
    defer { daemon.stop() }
    let terminal = try Terminal(rows: 8, columns: 100)
    let process = try terminal.run(["top", "--every", "1h"], socket: daemon.path)
    #expect(try terminal.read(until: "1-5 of 30   q quit").contains("g.s10 "))
    terminal.type("\u{1b}[6~")
    #expect(try terminal.read(until: "6-10 of 30").contains("g.s15 "))
    terminal.type("\u{1b}[B")
    _ = try terminal.read(until: "7-11 of 30")
    terminal.type("\u{1b}[F")
    #expect(try terminal.read(until: "26-30 of 30").contains("g.s39 "))
    // To the left of the values per second is the name, and beyond it the last column, the age.
    terminal.type("\u{1b}[D\u{1b}OD")
    let byAge = try terminal.read(until: "1-5 of 30")
    #expect(byAge.contains("AGE▼") && byAge.contains("g.s39 ") && byAge.contains("39s"))
    terminal.type("r")
    #expect(try terminal.read(until: "1-5 of 30").contains("g.s10 "))
    terminal.type("/S2X\u{7f}")
    #expect(try terminal.read(until: "1-5 of 10   /S2▏").contains("g.s24 "))
    terminal.type("q\u{7f}7\n")
    let filtered = try terminal.read(until: "/S27   esc")
    #expect(filtered.components(separatedBy: "g.s").suffix(1).first?.hasPrefix("27 ") == true)
    terminal.type("\u{1b}")
    _ = try terminal.read(until: "1-5 of 30")
    terminal.type("q")
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
  }

  @Test func `the terminal is given back while it is stopped, and when the daemon goes`() throws {
    let daemon = try Self.quietDaemon()
    defer { daemon.stop() }
    let terminal = try Terminal(rows: 8, columns: 100)
    let process = try terminal.run(["top", "--every", "20ms"], socket: daemon.path)
    _ = try terminal.read(until: "1-5 of 30")
    #expect(!terminal.echoes)
    kill(process.processIdentifier, SIGTSTP)
    _ = try terminal.read(until: "\u{1b}[?25h\u{1b}[?1049l")
    while !(try Self.isStopped(process)) { sched_yield() }
    #expect(terminal.echoes)
    kill(process.processIdentifier, SIGCONT)
    _ = try terminal.read(until: "\u{1b}[?1049h\u{1b}[?25l")
    _ = try terminal.read(until: "1-5 of 30")
    #expect(!terminal.echoes)
    daemon.stop()
    let end = try terminal.read(until: "closed the connection")
    #expect(end.contains("\u{1b}[?25h\u{1b}[?1049lsignalbox: "))
    process.waitUntilExit()
    #expect(process.terminationStatus == 69 && terminal.echoes)
  }

  /// Returns the process state reported by the kernel.
  private static func isStopped(_ process: Process) throws -> Bool {
    let stat = try String(contentsOfFile: "/proc/\(process.processIdentifier)/stat", encoding: .utf8)
    return stat.split(separator: ") ").last?.hasPrefix("T") == true
  }

  @Test func `a terminal that cannot do it gets one table`() throws {
    let daemon = try Self.daemon()
    defer { daemon.stop() }
    let text = try Terminal(rows: 24, columns: 100).show(
      "top", "--every", "1ms", socket: daemon.path, environment: ["TERM": "dumb"])
    #expect(text.hasPrefix("SIGNAL ") && text.contains("g.busy") && !text.contains("\u{1b}"))
  }
}
