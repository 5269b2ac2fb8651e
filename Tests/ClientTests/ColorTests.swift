import Foundation
import TestSupport
import Testing

/// The output of commands on a terminal: coloured, laid out for reading, and without control characters from other
/// sources.
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
    #expect(check.hasSuffix("2 signals, \(Self.escape)32mno errors\(Self.escape)m\n"))
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

  @Test func `no text of others begins a line on a terminal`() throws {
    let graph = """
      signalbox: 1
      graphs:
        g:
          signals:
            a: {input: {}}
            b: {switch: {on: a, cases: {"case\\nforged": a}}}
            c: {combine: {"label\\nforged": a, other: b}}
          tests: [{name: "name\\nforged", given: {a: "1-2"}, expect: {a: "1-3"}}]
      """
    let file = try TemporaryFile(graph)
    let error = #"{"code":"x\nforged","message":"y\nforged"}"#
    let daemon = try FakeDaemon { line in
      let id = line.split(separator: "\"id\":").last.map { String($0.prefix { $0.isNumber }) } ?? ""
      let end = #"{"event":"failed","error":\#(error),"at":"2026-05-01T12:00:00.000000Z"}"#
      return [#"{"reply":"describe","id":\#(id),"signal":"a.b","kind":"input","seq":1,"ended":\#(end)}"#]
    }
    defer { daemon.stop() }
    let shown = try [
      Self.show("describe", "a.b", socket: daemon.path), Self.show("graph", "--format", "text", file.path),
      Self.show("test", file.path), Self.show("check", "no such file\nforged"),
      Self.show("simulate", file.path, "g.no\nforged"), Self.show("list", "a\nforged**"),
    ]
    for text in shown {
      #expect(text.contains("\\nforged"), "\(text)")
      #expect(!text.contains("\nforged"), "\(text)")
    }
  }

  @Test(arguments: [
    "\u{202E}", "\u{2066}", "\u{7f}", "\u{85}", "\u{9b}", "\u{2028}", "\u{2029}", "\u{FEFF}", "\u{E0001}",
  ])
  func `what turns or hides text is written out on a terminal, with --json as well`(character: String) throws {
    let line = #"{"reply":"get","id":1,"signal":"a.b","seq":1,"value":"left\#(character)right"}"#
    // The second request is for the unit, which is shown on terminals only.
    let list = #"{"reply":"list","id":2,"signals":[]}"#
    let daemon = try FakeDaemon { [$0.contains(#""op":"list""#) ? list : line] }
    defer { daemon.stop() }
    for arguments in [["get", "a.b"], ["get", "--raw", "a.b"], ["get", "--json", "a.b"]] {
      let shown = try Self.show(arguments, socket: daemon.path)
      #expect(shown.contains("left\\u"), "\(shown)")
      #expect(!shown.unicodeScalars.contains(character.unicodeScalars.first ?? " "))
    }
    let json = try Self.show(["get", "--json", "a.b"], socket: daemon.path)
    let read = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
    #expect(read?["value"] as? String == "left\(character)right")
    #expect(try Client.run(["get", "--json", "a.b"], socket: daemon.path).output == line + "\n")
  }

  @Test func `a text with several lines, and scripts that need joiners, stay as they are`() throws {
    let daemon = try FakeDaemon { _ in
      [#"{"reply":"get","id":1,"signal":"a.b","seq":1,"value":"one\ntwo 👩\u200d🔬 می‌خواهم"}"#]
    }
    defer { daemon.stop() }
    #expect(try Self.show("get", "--raw", "a.b", socket: daemon.path) == "one\ntwo 👩\u{200d}🔬 می\u{200c}خواهم\n")
  }

  /// Returns the output of a command on a terminal without colours.
  private static func show(_ arguments: String..., socket: String = "/nowhere") throws -> String {
    try show(arguments, socket: socket)
  }

  private static func show(_ arguments: [String], socket: String) throws -> String {
    let terminal = try Terminal(rows: 24, columns: 80)
    return try terminal.show(arguments, socket: socket, environment: ["TERM": "xterm", "NO_COLOR": "1"])
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
    {"reply":"describe","id":1,"signal":"g.alarm","kind":"derived","declaration":{"doc":"yes","combine":{"t":{"from":"raw","pipe":[{"map":".v, 1"}]},"l":"limit"},"pipe":[{"map":".t > .l"},"skip_repeats",{"debounce":"2s"},{"filter":". # no"}],"hold":true},"upstream":["g.raw","g.limit"],"downstream":[],"seq":7,"subscribers":1,"errors":2,"dropped":0,"at":"2026-05-01T12:00:00.000000Z","ended":{"event":"failed","error":{"code":"timeout","message":"no value"},"at":"2026-05-01T12:00:01.000000Z"},"place":"/etc/signalbox/signalbox.yaml:12:7"}
    """#

  /// The answer about the value that the failed signal has held.
  private static let noValues = #"{"reply":"values","id":2,"values":[]}"#

  @Test func `a description is for reading on a terminal, and the same lines as ever in a pipe`() throws {
    let daemon = try FakeDaemon { [$0.contains(#""op":"values""#) ? Self.noValues : Self.description] }
    defer { daemon.stop() }
    let text = try Terminal(rows: 24, columns: 80).show(
      "describe", "g.alarm", socket: daemon.path, environment: ["TERM": "dumb"])
    #expect(
      text == """
        g.alarm  derived
          failed: timeout: no value, at 2026-05-01T12:00:01.000000Z
          at /etc/signalbox/signalbox.yaml:12:7
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
          seq 7, subscribers 1, errors 2, dropped 0, last value at
            2026-05-01T12:00:00.000000Z

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
    let changed = Self.description.replacing("l\":\"limit", with: "l\":\"a").replacing("raw", with: "a")
    let daemon = try FakeDaemon { [$0.contains(#""op":"values""#) ? Self.noValues : changed] }
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
