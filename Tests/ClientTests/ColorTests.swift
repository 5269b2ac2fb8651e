import Foundation
import Testing

/// How commands show themselves on a terminal: in colours, laid out for people, and with nothing in it that others wrote
/// and that could steer it.
struct ColorTests {
  private static let escape = "\u{1b}["
  private static let graph = """
    signalbox: 1
    graphs:
      g:
        signals:
          a: {input: {}}
          b: {from: a}
        tests:
          - {name: good, given: {a: "1-2"}, expect: {b: "1-2"}}
          - {name: "bad \u{5c}e[31mred", given: {a: "1-2"}, expect: {b: "1-3"}}
    """

  private static func daemon() throws -> FakeDaemon {
    try FakeDaemon { _ in
      [
        #"{"reply":"list","id":1,"signals":[{"signal":"a.b","kind":"derived","doc":"\u001b[31mred","ended":{"event":"failed","error":{"code":"timeout","message":"x"},"at":"2026-05-01T12:00:00.000000Z"}}]}"#
      ]
    }
  }

  @Test func `check and test are in colour on a terminal`() throws {
    let file = try TemporaryFile(Self.graph)
    let test = try Terminal(rows: 24, columns: 80).show("test", "--verbose", file.path)
    #expect(test.contains("\(Self.escape)32mpassed:\(Self.escape)m g: good\n"))
    #expect(test.contains("\(Self.escape)1;31mfailed:\(Self.escape)m g: bad \\u001b[31mred\n"))
    #expect(test.contains("  expected  \(Self.escape)32m1-3\(Self.escape)m\n"))
    #expect(test.hasSuffix("\(Self.escape)1;31m1 of 2 tests failed\(Self.escape)m\n"))
    let check = try Terminal(rows: 24, columns: 80).show("check", file.path)
    #expect(check.hasSuffix("2 signals, \(Self.escape)32mno mistakes\(Self.escape)m\n"))
    let wrong = try TemporaryFile(Self.graph.replacing("from: a", with: "frm: a"))
    let mistake = try Terminal(rows: 24, columns: 80).show("check", wrong.path)
    #expect(mistake.contains("\(Self.escape)1;31merror:\(Self.escape)m unknown key"))
  }

  @Test func `what others wrote stays without effect among colours`() throws {
    let daemon = try Self.daemon()
    defer { daemon.stop() }
    let onTerminal = try Terminal(rows: 24, columns: 80).show("list", socket: daemon.path)
    #expect(onTerminal.contains("\(Self.escape)1;31mfailed: timeout\(Self.escape)m"))
    #expect(onTerminal.contains("\(Self.escape)2m\\u001b[31mred\(Self.escape)m"))
    let inPipe = try Client.run("list", "--color", "always", socket: daemon.path).output
    #expect(inPipe.hasPrefix("\(Self.escape)1ma.b\(Self.escape)m\tderived\t"))
    #expect(inPipe.contains("\\u001b[31mred"))
  }

  @Test(arguments: [
    (["TERM": "xterm"], [], true), (["TERM": "dumb"], [], false), ([:], [], false),
    (["TERM": "xterm", "NO_COLOR": "1"], [], false), (["TERM": "xterm", "NO_COLOR": ""], [], true),
    (["TERM": "dumb", "CLICOLOR_FORCE": "1"], [], true), (["TERM": "dumb", "CLICOLOR_FORCE": "0"], [], false),
    (["CLICOLOR_FORCE": "1", "NO_COLOR": "1"], [], false), (["NO_COLOR": "1"], ["--color", "always"], true),
    (["TERM": "xterm", "CLICOLOR_FORCE": "1"], ["--color=never"], false),
  ])
  func `one place decides about colours`(environment: [String: String], options: [String], isColored: Bool) throws {
    let daemon = try Self.daemon()
    defer { daemon.stop() }
    let terminal = try Terminal(rows: 24, columns: 80)
    let process = try terminal.run(["list"] + options, socket: daemon.path, environment)
    #expect(try terminal.read(until: "red").contains(Self.escape) == isColored)
    process.waitUntilExit()
  }

  @Test func `a colour that there is not is refused`() throws {
    let result = try Client.run("list", "--color", "sometimes")
    #expect(result.status == 64 && result.errors == "signalbox: --color must be auto, always or never, not sometimes\n")
  }

  private static let description = #"""
    {"reply":"describe","id":1,"signal":"g.alarm","kind":"derived","declaration":{"doc":"yes","combine":{"t":{"from":"raw","pipe":[{"map":".v, 1"}]},"l":"limit"},"pipe":[{"map":".t > .l"},"skip_repeats",{"debounce":"2s"},{"filter":". # no"}],"hold":true},"upstream":["g.raw","g.limit"],"downstream":[],"seq":7,"subscribers":1,"errors":2,"dropped":0,"at":"2026-05-01T12:00:00.000000Z","ended":{"event":"failed","error":{"code":"timeout","message":"no value"},"at":"2026-05-01T12:00:01.000000Z"}}
    """#

  @Test func `a description is for reading on a terminal, and the same lines as ever in a pipe`() throws {
    let daemon = try FakeDaemon { _ in [Self.description] }
    defer { daemon.stop() }
    let text = try Terminal(rows: 24, columns: 80).show(
      "describe", "g.alarm", socket: daemon.path, environment: ["TERM": "dumb"])
    #expect(
      text == """
        g.alarm  derived
          failed: timeout: no value, at 2026-05-01T12:00:01.000000Z
          declaration:
            doc: "yes"
            combine: {t: {from: raw, pipe: [{map: ".v, 1"}]}, l: limit}
            pipe:
              - map: .t > .l
              - skip_repeats
              - debounce: 2s
              - filter: ". # no"
            hold: true
          upstream: g.raw, g.limit
          seq 7, subscribers 1, errors 2, dropped 0, last value at 2026-05-01T12:00:00.000000Z

        """)
    let lines = try Client.run("describe", "g.alarm", socket: daemon.path).output.split(separator: "\n")
    #expect(lines[0] == "signal\tg.alarm" && lines[3] == "upstream\tg.raw, g.limit" && lines[5] == "seq\t7")
    #expect(try Client.run("describe", "--json", "g.alarm", socket: daemon.path).output == Self.description + "\n")
  }

  @Test func `what a terminal shows of a declaration is one that can be copied`() throws {
    let declared = """
      signalbox: 1
      graphs:
        g:
          signals:
            a: {input: {}}
            b:

      """
    let daemon = try FakeDaemon { _ in
      [Self.description.replacing("l\":\"limit", with: "l\":\"a").replacing("raw", with: "a")]
    }
    defer { daemon.stop() }
    let text = try Terminal(rows: 24, columns: 80).show("describe", "g.alarm", socket: daemon.path)
    let block = text.split(separator: "\n").drop { !$0.contains("declaration:") }.dropFirst().prefix {
      $0.hasPrefix("    ")
    }
    #expect(block.count == 8)
    let file = try TemporaryFile(declared + block.map { "      \($0)\n" }.joined())
    let result = try Client.run("check", file.path)
    #expect(result.status == 0, "\(result.errors)")
  }
}
