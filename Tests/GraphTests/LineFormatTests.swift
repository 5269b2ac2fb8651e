import GraphEngine
import GraphModel
import GraphStories
import JSON
import Signals
import Testing

/// The formats of lines, and records of several lines.
struct LineFormatTests {
  /// Returns the results of a line in a format: its value, nothing, or the reason of its refusal.
  private static func values(of text: String, in format: String) throws -> [String] {
    let graph = try TestGraph(signals: "t: {tail: {path: /t, format: \(format)}, on_error: emit}")
    graph.tail("/t", .appended(Array(text.utf8)))
    return graph.said().map { String($0.drop { $0 != " " }.dropFirst()) }
  }

  private static func refusal(_ message: String) -> String {
    #"{"error":{"code":"bad_value","message":"# + JSONValue.string(message).description + "}}"
  }

  @Test(arguments: [
    (#"level=info msg="it is" n=5"#, #"{"level":"info","msg":"it is","n":"5"}"#),
    (#"a b=  c="""#, #"{"a":true,"b":"","c":""}"#),
    (
      #"at=error msg="say \"hi\"\n\\ \u00e9 \ud83d\ude00" x"#,
      "{\"at\":\"error\",\"msg\":\"say \\\"hi\\\"\\n\\\\ é 😀\",\"x\":true}"
    ),
    (#"url=http://x/?a=b&c="d" end"#, #"{"url":"http://x/?a=b&c=\"d\"","end":true}"#),
    (#"a=1 a=2"#, #"{"a":"2"}"#), ("  ä=ö\tb=c ", #"{"ä":"ö","b":"c"}"#), (#"t="a\#tb""#, #"{"t":"a\tb"}"#),
    (#"back="\\" x=y"#, #"{"back":"\\","x":"y"}"#),
  ])
  func `a line of logfmt is an object of texts, and a flag is true`(line: String, value: String) throws {
    #expect(try Self.values(of: line + "\n", in: "logfmt") == [value])
  }

  @Test(arguments: [
    ("=5", #"invalid logfmt line: missing key before "=""#),
    (#"a="b"#, "invalid logfmt line: unterminated quote"),
    (#"a="b\"#, "invalid logfmt line: unterminated quote"),
    (#"a="b"c"#, #"invalid logfmt line: missing space after a quote before "c""#),
    (#"a="\x""#, "invalid logfmt line: invalid JSON escape"),
    (#"a"b=c"#, "invalid logfmt line: a key cannot contain quotes"),
    (#"a="\ud800""#, "invalid logfmt line: invalid JSON escape"),
  ])
  func `a line that is not logfmt is refused`(line: String, message: String) throws {
    #expect(try Self.values(of: line + "\nok\n", in: "logfmt") == [Self.refusal(message), #"{"ok":true}"#])
  }

  @Test(arguments: ["text", "json", "logfmt", "{csv: [a]}", "{regex: '(?<a>.+)'}"])
  func `a line that is not UTF-8, or too long, is refused in every format`(format: String) throws {
    let graph = try TestGraph(
      TestGraph.configuration(
        """
        signalbox: 1
        server: {limits: {line: 64}}
        graphs: {g: {signals: {t: {tail: {path: /t, format: \(format)}}}}}
        """))
    graph.tail("/t", .appended([0x22, 0xFF, 0x22, 0x0A]), .appended(Array(repeating: 0x31, count: 70) + [0x0A]))
    #expect(graph.refusals.map(\.failure.code) == ["bad_value", "too_long"])
    #expect(graph.said() == [])
  }

  @Test(arguments: ["json", "logfmt", "csv", "{csv: [a, b]}"])
  func `a blank line is none`(format: String) throws {
    let graph = try TestGraph(signals: "t: {tail: {path: /t, format: \(format), from: start}}")
    graph.tail("/t", .appended(Array("\n  \t\n\r\n".utf8)))
    #expect(graph.said() == [])
    #expect(graph.refusals.isEmpty)
  }

  @Test(arguments: [
    ("{csv: [a, b]}", "1,2", #"{"a":"1","b":"2"}"#),
    ("{csv: [a, b]}", #""x, ""y""",  z "#, #"{"a":"x, \"y\"","b":"  z "}"#),
    ("{csv: [a, b]}", ",", #"{"a":"","b":""}"#), ("{csv: [a]}", "\"\"", #"{"a":""}"#),
    ("{csv: [a, b]}", #"it"s,"#, #"{"a":"it\"s","b":""}"#),
    (#"{csv: {columns: [a, b], separator: ";"}}"#, "1,5;2", #"{"a":"1,5","b":"2"}"#),
    (#"{csv: {columns: [a, b], separator: "\t"}}"#, "1\t\"2\t\"", #"{"a":"1","b":"2\t"}"#),
    ("{csv: [a, b]}", "1,2,3", refusal("line with 3 fields for 2 columns")),
    ("{csv: [a, b]}", "1", refusal("line with 1 field for 2 columns")),
    ("{csv: [a, b]}", #"1,"2"#, refusal("invalid CSV line: unterminated quote")),
    ("{csv: [a, b]}", #""1"x,2"#, refusal("invalid CSV line: text after a closing quote")),
  ])
  func `a line of CSV is an object of its columns`(format: String, line: String, value: String) throws {
    #expect(try Self.values(of: line + "\r\n", in: format) == [value])
  }

  @Test func `the first line of each file names the columns where they are not given`() throws {
    for restarts in [false, true] {
      let graph = try TestGraph(signals: "t: {tail: {path: /t, format: csv, from: start}}", restarts: restarts)
      func tail(_ event: TailEvent) {
        graph.tail("/t", event)
        // Encoded and rebuilt, in its present state.
        _ = graph.runtime
      }
      tail(.appended(Array("\u{FEFF}time,\"le".utf8)))
      tail(.appended(Array("vel\"\n".utf8)))
      tail(.appended(Array("1,info\n2,".utf8)))
      tail(.rotated)
      tail(.appended(Array("a\n3\n".utf8)))
      tail(.truncated)
      tail(.appended(Array("b,c\n4,5\n".utf8)))
      #expect(
        graph.said() == [
          #"t#1 {"time":"1","level":"info"}"#, #"t#2 {"time":"2","level":""}"#, #"t#3 {"a":"3"}"#,
          #"t#4 {"b":"4","c":"5"}"#,
        ])
    }
  }

  @Test func `each run of a program names its columns`() throws {
    let graph = try TestGraph(
      signals: "p: {exec: [x], format: csv, pipe: [retry: 1]}", restarts: false)
    let first = try #require(graph.programs.first)
    first.print("a\n1\n")
    first.end(.exited(1))
    let second = try #require(graph.programs.last)
    second.print("b\n2\n")
    #expect(graph.said() == [#"p#1 {"a":"1"}"#, #"p#2 {"b":"2"}"#])
  }

  @Test(arguments: [
    (#"(?<a>\d+) (?<b>\w+)?"#, "x 12 ", #"{"a":"12","b":null}"#),
    (#"^(?<date>\S+) (?<text>.*)$"#, "today it's \\(1) \"q\"", #"{"date":"today","text":"it's \\(1) \"q\""}"#),
    (#"(?i)(?<x>ABC)"#, "abc", #"{"x":"abc"}"#),
    (#"^(?<x>a)$"#, "b", refusal("line does not match the regular expression")),
  ])
  func `the named groups of a regular expression make an object`(
    pattern: String, line: String, value: String
  ) throws {
    let format = "{regex: '\(pattern.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''"))'}"
    #expect(try Self.values(of: line + "\n", in: format) == [value])
  }

  @Test func `a regular expression that takes too long is stopped`() throws {
    let graph = try TestGraph(signals: "t: {tail: {path: /t, format: {regex: '^(?<x>(a+)+)$'}}}")
    graph.tail("/t", .appended(Array((String(repeating: "a", count: 60) + "!\n").utf8)))
    #expect(graph.refusals.map(\.failure.code) == ["limit"])
  }

  @Test(arguments: [
    ("{regex: '(?<a>('}", "Regex failure: end pattern with unmatched parenthesis"),
    ("{regex: 'a(b)(?<!c)'}", "the regular expression needs a named group, such as (?<name>…)"),
    ("{regex: a, csv: [b]}", "expected either {csv: …} or {regex: '(?<name>…)'}"),
    ("{}", "expected either {csv: …} or {regex: '(?<name>…)'}"), ("{csv: []}", "expected the names of the columns"),
    ("{csv: {columns: [a], separator: ab}}", "expected one ASCII character"),
    ("{csv: {columns: [a], seperator: ;}}", "unknown key \"seperator\"; did you mean \"separator\"?"),
    ("logfm", "expected one of text, json, logfmt, csv, found \"logfm\"; did you mean \"logfmt\"?"),
    ("csv", "the first line of csv, with the column names, is not read from the end"),
    ("{csv: {separator: ;}}", "the first line of csv, with the column names, is not read from the end"),
  ])
  func `a format that cannot be meant is an error`(format: String, message: String) {
    let found = TemplateTests.mistakes(
      "signalbox: 1\ngraphs: {g: {signals: {t: {tail: {path: /t, format: \(format)}}}}}\n")
    #expect(found.contains("error: ") && found.contains(message), "\(found)")
  }

  @Test(arguments: [("", TailStart.end), (", from: end", .end), (", from: start", .beginning)])
  func `a tail begins where it is declared to, and resumes where it was`(from: String, start: TailStart) throws {
    let graph = try TestGraph(signals: "t: {tail: {path: /t\(from)}}", restarts: true)
    let place = TailPlace(device: 1, inode: 2, offset: 30)
    graph.tail("/t", .appended(Array("a\n".utf8)), .reached(place))
    _ = graph.runtime
    #expect(graph.tailStarts == [start, .place(place)])
  }

  // MARK: Records of several lines

  @Test(arguments: [false, true])
  func `lines that begin no record belong to the one before`(restarts: Bool) throws {
    let graph = try TestGraph(signals: #"t: {tail: {path: /t, multiline: 'test("^\\S")'}}"#, restarts: restarts)
    func tail(_ text: String) {
      graph.tail("/t", .appended(Array(text.utf8)))
      _ = graph.runtime
    }
    tail("error\n  at a\n  a")
    #expect(graph.said() == [])
    tail("t b\r\nfine\nnext\n \n")
    #expect(graph.said() == [#"t#1 "error\n  at a\n  at b""#, #"t#2 "fine""#])
    graph.advance(to: 0.9)
    #expect(graph.said() == [])
    tail("  more\n")
    graph.advance(to: 1.8)
    #expect(graph.said() == [])
    graph.advance(to: 1.9)
    #expect(graph.said() == [#"t#3 "next\n \n  more""#])
    graph.advance(to: 9)
    tail("  late\n")
    graph.advance(to: 10)
    #expect(graph.said() == [#"t#4 "  late""#])
  }

  @Test func `a record ends with its file or program`() throws {
    let graph = try TestGraph(
      signals: #"""
        t: {tail: {path: /t, multiline: 'test("^\\S")'}}
        p: {exec: [x], multiline: {begins: 'test("^\\S")', wait: 1h}, format: {regex: '(?<a>.*)\n(?<b>.*)'}}
        """#, restarts: false)
    graph.tail("/t", .appended(Array("a\n b".utf8)), .rotated, .appended(Array(" c\n d".utf8)), .truncated)
    #expect(graph.said() == [#"t#1 "a\n b""#, #"t#2 " c""#])
    let program = try #require(graph.programs.first)
    program.print("x\n y\nz\n 1")
    program.end(.exited(0))
    #expect(graph.said() == [#"p#1 {"a":"x","b":" y"}"#, #"p#2 {"a":"z","b":" 1"}"#, "p completed"])
  }

  @Test(arguments: [("x", 50), (" x", 1000)])
  func `a record has no more bytes and lines than a bound`(line: String, count: Int) throws {
    let graph = try TestGraph(
      TestGraph.configuration(
        """
        signalbox: 1
        server: {limits: {line: \(line == "x" ? 100 : 100_000)}}
        graphs: {g: {signals: {t: {tail: {path: /t, multiline: 'test("^a")'}}}}}
        """))
    let text = "a\n" + String(repeating: line + "\n", count: count - 1)
    graph.tail("/t", .appended(Array((text + "a\n").utf8)))
    #expect(graph.refusals.isEmpty)
    graph.tail("/t", .appended(Array((text + line + "\na\n" + text + "a\n").utf8)))
    #expect(graph.refusals.map(\.failure.code).last == "too_long")
    graph.tail("/t", .appended(Array(" ok\na\n".utf8)))
    #expect(graph.said().last?.hasSuffix(#""a\n ok""#) == true)
  }

  @Test func `a line that may or may not begin a record is refused by itself`() throws {
    let graph = try TestGraph(signals: #"t: {tail: {path: /t, multiline: 'tonumber > 0'}}"#)
    graph.tail("/t", .appended(Array("1\n0\nx\n0\n2\n".utf8)))
    #expect(graph.said() == [#"t#1 "1\n0\n0""#])
    #expect(graph.refusals.map(\.value) == ["x"])
  }

  @Test(arguments: [
    ("multiline: {wait: 1s}", "missing \"begins\""), ("multiline: 'test('", "test"),
    ("multiline: {begins: ., wait: 0s}", "must be at least 1ms"),
    ("multiline: [a]", "expected an expression, found a list"),
    ("from: begin", "expected one of end, start, found \"begin\""),
  ])
  func `a record that cannot be meant is an error`(parameter: String, message: String) {
    let found = TemplateTests.mistakes(
      "signalbox: 1\ngraphs: {g: {signals: {t: {tail: {path: /t, \(parameter)}}}}}\n")
    #expect(found.contains("error: ") && found.contains(message), "\(found)")
  }
}
