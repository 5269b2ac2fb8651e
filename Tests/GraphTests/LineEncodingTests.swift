import GraphEngine
import GraphModel
import GraphStories
import JSON
import Testing

/// Lines whose bytes are not UTF-8.
@Suite struct `Lines in another encoding` {
  private func graph(_ parameters: String, restarts: Bool = false) throws -> TestGraph {
    try TestGraph(signals: "t: {tail: {path: /t, \(parameters)}}", restarts: restarts)
  }

  @Test(
    arguments: [
      ("utf8", nil), ("utf8-lossy", #"t#1 "caf\#u{FFFD} x""#), ("latin1", #"t#1 "café x""#),
    ] as [(String, String?)])
  func `are refused, repaired or read`(encoding: String, line: String?) throws {
    let graph = try graph("encoding: \(encoding)")
    graph.tail("/t", .appended(Array("caf".utf8) + [0xE9] + Array(" x\r\n".utf8)))
    #expect(graph.said() == [line].compactMap { $0 })
    #expect(graph.refusals.map(\.failure.message) == (line == nil ? ["line is not valid UTF-8"] : []))
  }

  @Test func `of Latin-1 have the code point of each byte's number`() throws {
    let graph = try graph("encoding: latin1")
    let bytes = (0...0xFF).map(UInt8.init).filter { $0 != 0x0A }
    graph.tail("/t", .appended(bytes + [0x0A]))
    var text = String.UnicodeScalarView()
    for byte in bytes { text.append(Unicode.Scalar(byte)) }
    #expect(graph.said() == ["t#1 \(JSONValue.string(String(text)))"])
  }

  @Test(arguments: [false, true])
  func `are decoded as a whole, wherever reading stops in them`(restarts: Bool) throws {
    for (encoding, line, value) in [
      ("utf8-lossy", [0xC3, 0xA9, 0xE2, 0x82, 0x78], "é\u{FFFD}x"), ("latin1", [0xE9, 0x78, 0xFC], "éxü"),
    ] as [(String, [UInt8], String)] {
      let graph = try graph("encoding: \(encoding)", restarts: restarts)
      for byte in line + [0x0A] {
        graph.tail("/t", .appended([byte]))
        // Encoded and rebuilt, in its present state.
        _ = graph.runtime
      }
      #expect(graph.said() == ["t#1 \"\(value)\""])
    }
  }

  @Test(arguments: [
    ("format: json", #"{"a":"\#u{E9}"}"#, #"t#1 {"a":"é"}"#), ("format: logfmt", "a=\u{E9}", #"t#1 {"a":"é"}"#),
    ("format: {csv: [a, b]}", "\u{E9},\u{FC}", #"t#1 {"a":"é","b":"ü"}"#),
    ("format: {regex: '^(?<a>é)'}", "\u{E9}x", #"t#1 {"a":"é"}"#),
    (#"multiline: 'test("^[éü]")'"#, "\u{E9}\n \u{E4}\n\u{FC}", #"t#1 "é\n ä""#),
  ])
  func `are decoded before they are parsed`(parameters: String, text: String, value: String) throws {
    let graph = try graph("encoding: latin1, \(parameters)")
    graph.tail("/t", .appended(text.unicodeScalars.map { UInt8($0.value) } + [0x0A]))
    #expect(graph.said() == [value])
    #expect(graph.refusals.isEmpty)
  }

  @Test func `that wait for the rest of their record are decoded too`() throws {
    let graph = try graph(#"encoding: latin1, multiline: 'test("^\\S")'"#)
    graph.tail("/t", .appended([0xE9, 0x0A, 0x20, 0xFC]))
    graph.advance(to: 1)
    #expect(graph.said() == [#"t#1 "é\n ü""#])
  }

  @Test func `of a program and of many files are decoded alike`() throws {
    let graph = try TestGraph(
      signals: """
        p: {exec: [x], encoding: latin1}
        t: {tail: {path: "/d/*", glob: true, encoding: latin1}}
        """, restarts: false)
    try #require(graph.programs.first).print([0xE9, 0x0A])
    let place = TailPlace(device: 1, inode: 1, offset: 0)
    graph.glob("/d/*", .began(place, path: "/d/a"), .tail(.appended([0xFC, 0x0A]), of: FileNumbers(place)))
    #expect(graph.said() == [#"p#1 "é""#, #"t#1 {"path":"/d/a","value":"ü"}"#])
  }

  @Test(arguments: ["utf8", "utf8-lossy", "latin1"])
  func `of UTF-16 are refused with that reason`(encoding: String) throws {
    let graph = try graph("encoding: \(encoding)")
    graph.tail("/t", .appended([0xFF, 0xFE, 0x0A]), .appended([0xFE, 0xFF, 0x0A]))
    #expect(graph.said() == [])
    #expect(
      graph.refusals.map(\.failure.message)
        == Array(repeating: "UTF-16 text (byte order mark); only UTF-8 is supported", count: 2))
  }

  @Test(arguments: ["utf8-lossy", "latin1"])
  func `have as many bytes in the file as the limit allows`(encoding: String) throws {
    let graph = try TestGraph(
      TestGraph.configuration(
        """
        signalbox: 1
        server: {limits: {line: 64}}
        graphs: {g: {signals: {t: {tail: {path: /t, encoding: \(encoding)}}}}}
        """))
    graph.tail("/t", .appended(Array(repeating: 0xE9, count: 64) + [0x0A]))
    #expect(graph.said().count == 1 && graph.refusals.isEmpty)
    graph.tail("/t", .appended(Array(repeating: 0xE9, count: 65) + [0x0A]))
    #expect(graph.said() == [] && graph.refusals.map(\.failure.code) == ["too_long"])
  }

  @Test func `are read with the new encoding after a reload that changes it`() throws {
    func configuration(_ encoding: String) throws -> Configuration {
      try TestGraph.configuration(signals: "t: {tail: {path: /t, encoding: \(encoding)}}\nu: {tail: /u}")
    }
    let graph = TestGraph(try configuration("utf8"), restarts: false)
    graph.tail("/t", .appended([0xE9, 0x0A, 0x78]), .reached(TailPlace(device: 1, inode: 2, offset: 3)))
    let verdict = graph.reload(try configuration("latin1"))
    #expect(verdict.kept == ["g.u"])
    #expect(graph.tailStarts == [.end, .end, .end])
    graph.tail("/t", .appended([0xE9, 0x0A]))
    #expect(graph.said() == [#"t#1 "é""#])
  }

  @Test(arguments: [
    (
      "tail: {path: /t, encoding: latin-1}",
      "one of utf8, utf8-lossy, latin1, found \"latin-1\"; did you mean \"latin1\"?"
    ),
    ("tail: {path: /t, encoding: utf16}", "one of utf8, utf8-lossy, latin1, found \"utf16\""),
    ("exec: [x], encoding: utf-8", "did you mean \"utf8\"?"),
    ("tail: {path: /t, encodng: utf8}", "did you mean \"encoding\"?"),
  ])
  func `have one of three`(source: String, message: String) {
    let found = TemplateTests.mistakes("signalbox: 1\ngraphs: {g: {signals: {t: {\(source)}}}}\n")
    #expect(found.contains("error: ") && found.contains(message), "\(found)")
  }
}
