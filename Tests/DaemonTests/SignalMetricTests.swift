import Glibc
import TestSupport
import Testing

@testable import Daemon

@Suite struct `Metrics of signals` {
  private func metrics(_ client: TestClient) throws -> String {
    let answer = try client.ask(#"{"op":"stats","metrics":true}"#)
    guard let start = answer.firstRange(of: #""metrics":"#) else { return "none" }
    return String(answer[start.upperBound...].dropLast())
  }

  @Test(arguments: HostKind.allCases) func `show numbers and booleans that signals hold`(kind: HostKind) throws {
    let client = try kind.start(
      """
      g:
        signals:
          t: {input: {}, metric: true, unit_of_measurement: °C}
          on: {input: {}, metric: {name: on, help: "a \\"b\\"", type: gauge}}
          plain: {input: {}}
      """
    ).connect()
    #expect(
      try metrics(client)
        == #"{"series":0,"dropped":0,"refused":0,"families":[{"name":"g_t_celsius","type":"gauge","help":"Values of g.t.","unit":"celsius","signal":"g.t","labels":[],"series":[]},{"name":"on","type":"gauge","help":"a \"b\"","signal":"g.on","labels":[],"series":[]}]}"#
    )
    for line in ["send g.t 21.5", "send g.on true", "send g.plain 1"] { try client.say(line) }
    let values = try metrics(client)
    #expect(values.contains(#""signal":"g.t","labels":[],"series":[[[],21.5]]"#))
    #expect(values.contains(#""signal":"g.on","labels":[],"series":[[[],1]]"#))
    for line in [#"send g.t "x""#, "send g.on null"] { try client.say(line) }
    let later = try metrics(client)
    #expect(later.hasPrefix(#"{"series":1,"dropped":0,"refused":1,"#))
    #expect(later.contains(#""signal":"g.on","labels":[],"series":[]"#))
    #expect(try !client.ask("stats").contains("metrics"))
  }

  private static let rooms = """
    g:
      signals:
        in: {input: {}}
        t:
          from: in
          pipe: [{group_by: {key: .room, max_keys: 2, pipe: [{map: "{room: $key, t: .t}"}]}}]
          replay: 2
          metric: {name: room_celsius, labels: {room: .room}, value: .t}
    """

  @Test func `have a series for each key of group_by, which ends with the key`() throws {
    let client = try HostKind.inProcess.start(Self.rooms).connect()
    for line in [
      #"send g.in {"room":"b","t":1}"#, #"send g.in {"room":"a\n","t":2}"#, #"send g.in {"room":"b","t":3}"#,
    ] {
      try client.say(line)
    }
    #expect(try metrics(client).contains(#""series":[[["a\n"],2],[["b"],3]]"#))
    try client.say(#"send g.in {"room":"c","t":4}"#)
    #expect(try metrics(client).contains(#""series":[[["a\n"],2],[["c"],4]]"#))
  }

  @Test func `tell labels apart by their bytes`() throws {
    let client = try HostKind.inProcess.start(Self.rooms).connect()
    for line in [#"send g.in {"room":"\u00e9","t":1}"#, #"send g.in {"room":"e\u0301","t":2}"#] { try client.say(line) }
    let values = try metrics(client).utf8
    #expect(values.firstRange(of: "\"series\":[[[\"e\u{301}\"],2],[[\"\u{e9}\"],1]]".utf8) != nil)
  }

  private static func keyed(_ pipe: String, _ metric: String = "true", durable: Bool = false) -> String {
    """
    g:
    \(durable ? "  durable: true" : "  doc: ordinary")
      signals:
        in: {input: {endable: true}}
        t: {from: in, pipe: [\(pipe)], metric: \(metric)}
    """
  }

  private static let byRoom = "{group_by: {key: .room, max_keys: 2, pipe: [{map: .t}]}}"

  @Test(arguments: HostKind.allCases, [false, true])
  func `have a label for each key of group_by where none is given, which goes with the key`(
    kind: HostKind, durable: Bool
  ) throws {
    let client = try kind.start(Self.keyed(Self.byRoom, durable: durable)).connect()
    for (room, value) in [("a", 1), ("b", 2), ("a", 3)] {
      _ = try client.ask(#"{"op":"send","id":1,"signal":"g.in","value":{"room":"\#(room)","t":\#(value)}}"#)
    }
    #expect(try metrics(client).contains(#""labels":["room"],"series":[[["a"],3],[["b"],2]]"#))
    _ = try client.ask(#"{"op":"send","id":1,"signal":"g.in","value":{"room":"c","t":4}}"#)
    #expect(try metrics(client).contains(#""series":[[["b"],2],[["c"],4]]"#))
    _ = try client.ask(#"{"op":"send","id":1,"signal":"g.in","event":"completed"}"#)
    #expect(try metrics(client).hasPrefix(#"{"series":0,"#))
  }

  @Test(arguments: [
    ("{group_by: {key: .a.b_c, max_keys: 2, pipe: []}}, {map: .n}", #"["b_c"],"series":[[["x"],1]]"#),
    ("{group_by: {key: '[.a.b_c, .n]', max_keys: 2, pipe: []}}, {map: .n}", #"["key"],"series":[[["[\"x\",1]"],1]]"#),
    ("{group_by: {key: .le, max_keys: 2, pipe: [{map: .n}]}}, skip_repeats", #"["key"],"series":[[[""],1]]"#),
    (
      "{group_by: {key: .a.b_c, max_keys: 2, pipe: [{group_by: {key: .n, max_keys: 2, pipe: [{map: .n}]}}]}}",
      #"["b_c","n"],"series":[[["x","1"],1]]"#
    ),
    (
      "{group_by: {key: .n, max_keys: 2, pipe: [{group_by: {key: .n, max_keys: 2, pipe: [{map: .n}]}}]}}",
      #"["n","key"],"series":[[["1","1"],1]]"#
    ),
    (
      "{group_by: {key: .n, max_keys: 2, pipe: []}}, {group_by: {key: .a.b_c, max_keys: 2, pipe: [{map: .n}]}}",
      #"["b_c"],"series":[[["x"],1]]"#
    ),
    ("{group_by: {key: .n, max_keys: 2, pipe: []}}, {scan: {initial: 0, next: $state + 1}}", #"[],"series":[[[],1]]"#),
    ("{flat_map: {merge: {value: 5}}}", #"[],"series":[[[],5]]"#),
  ])
  func `name labels by their keys, as far as the values that the signal emits have some`(
    pipe: String, labels: String
  ) throws {
    let client = try HostKind.inProcess.start(Self.keyed(pipe)).connect()
    try client.say(#"send g.in {"a":{"b_c":"x"},"n":1}"#)
    let shown = try metrics(client)
    #expect(shown.contains(#""labels":\#(labels)"#), "\(shown)")
  }

  @Test func `have no label for keys where the file says that there is none`() throws {
    let client = try HostKind.inProcess.start(Self.keyed(Self.byRoom, "{labels: {}}")).connect()
    try client.say(#"send g.in {"room":"a","t":1}"#, #"send g.in {"room":"b","t":2}"#)
    #expect(try metrics(client).contains(#""labels":[],"series":[[[],2]]"#))
  }

  @Test func `of nested keys go with the inner one and with the outer one`() throws {
    let pipe = """
      {group_by: {key: .a, max_keys: 2, pipe: [{group_by: {key: .b, max_keys: 2, pipe: [{map: .n}]}}]}}
      """
    let client = try HostKind.inProcess.start(Self.keyed(pipe)).connect()
    for (outer, inner) in [(1, 1), (2, 1), (1, 2), (1, 3)] {
      try client.say(#"send g.in {"a":\#(outer),"b":\#(inner),"n":0}"#)
    }
    #expect(try metrics(client).contains(#""series":[[["1","2"],0],[["1","3"],0],[["2","1"],0]]"#))
    try client.say(#"send g.in {"a":3,"b":1,"n":0}"#)
    #expect(try metrics(client).contains(#""series":[[["2","1"],0],[["3","1"],0]]"#))
  }

  @Test func `that a reload keeps go with keys that end later`() throws {
    let graphs = Self.keyed(Self.byRoom, durable: true)
    let daemon = try HostKind.inProcess.start(graphs)
    let client = try daemon.connect()
    for line in [#"send g.in {"room":"a","t":1}"#, #"send g.in {"room":"b","t":2}"#] { try client.say(line) }
    try daemon.folder.writeConfiguration(graphs + "\n    u: {input: {}}")
    #expect(try client.ask("reload").contains(#""kept":["g.in","g.t"]"#))
    _ = try client.ask(#"{"op":"send","id":1,"signal":"g.in","value":{"room":"c","t":3}}"#)
    #expect(try metrics(client).contains(#""series":[[["b"],2],[["c"],3]]"#))
  }

  @Test func `go with the run that their keys are of`() throws {
    let client = try HostKind.inProcess.start(
      """
      g:
        signals:
          in: {input: {}}
          begin: {input: {}}
          t:
            from: begin
            pipe: [{flat_map: {latest: {from: in, pipe: [\(Self.byRoom)]}}}]
            metric: {labels: {t: .}}
      """
    ).connect()
    for line in ["send g.begin 1", #"send g.in {"room":"a","t":1}"#] { try client.say(line) }
    #expect(try metrics(client).contains(#""series":[[["1"],1]]"#))
    for line in ["send g.begin 2", #"send g.in {"room":"a","t":2}"#] { try client.say(line) }
    #expect(try metrics(client).contains(#""series":[[["2"],2]]"#))
  }

  @Test func `of keys wait for their next values after a kill`() throws {
    let folder = TemporaryFolder()
    let path = try folder.writeConfiguration(
      Self.keyed(Self.byRoom, "true, replay: 9", durable: true))
    let host = try ProgramHost(configuration: path, socket: folder("s"))
    let client = try TestDaemon(host, folder: folder).connect()
    for room in ["a", "b"] {
      _ = try client.ask(#"{"op":"send","id":1,"signal":"g.in","value":{"room":"\#(room)","t":1}}"#)
    }
    host.process.signal(SIGKILL)
    _ = try host.process.waitForExit()
    let again = try TestDaemon(ProgramHost(configuration: path, socket: folder("s")), folder: folder).connect()
    #expect(try metrics(again).contains(#""series":[]"#))
    _ = try again.ask(#"{"op":"send","id":1,"signal":"g.in","value":{"room":"b","t":5}}"#)
    #expect(try metrics(again).contains(#""series":[[["b"],5]]"#))
    _ = try again.ask(#"{"op":"send","id":1,"signal":"g.in","value":{"room":"c","t":6}}"#)
    _ = try again.ask(#"{"op":"send","id":1,"signal":"g.in","value":{"room":"d","t":7}}"#)
    #expect(try metrics(again).contains(#""series":[[["c"],6],[["d"],7]]"#))
  }

  @Test func `have at most limits.series, and count the values that have no place`() throws {
    let daemon = try HostKind.inProcess.start(
      "g: {signals: {t: {input: {}, metric: {labels: {n: .n}, value: .v}}}}", server: "{limits: {series: 2}}")
    let client = try daemon.connect()
    for number in 0..<4 { try client.say(#"send g.t {"n":\#(number),"v":1}"#) }
    try client.say(#"send g.t {"n":1,"v":1e300}"#)
    try client.say(#"send g.t {"n":{},"v":1}"#)
    let values = try metrics(client)
    #expect(values.hasPrefix(#"{"series":2,"dropped":2,"refused":1,"#))
    #expect(values.contains(#""series":[[["0"],1],[["1"],1e+300]]"#), "\(values)")
  }

  @Test func `stay across a reload, and end with the signal`() throws {
    let graphs = "g: {signals: {t: {input: {endable: true}, metric: true}}}"
    let daemon = try HostKind.inProcess.start(graphs)
    let client = try daemon.connect()
    try client.say("send g.t 5")
    try daemon.folder.writeConfiguration("g: {signals: {t: {input: {endable: true}, metric: true}, u: {input: {}}}}")
    _ = try client.ask("reload")
    #expect(try metrics(client).contains(#""series":[[[],5]]"#))
    try daemon.folder.writeConfiguration("g: {signals: {t: {input: {endable: true}, metric: {name: x}}}}")
    #expect(try client.ask("reload").contains(#""kept":["g.t"]"#))
    #expect(
      try metrics(client).contains(
        #""name":"x","type":"gauge","help":"Values of g.t.","signal":"g.t","labels":[],"series":[]"#))
    try client.say("send g.t 6")
    #expect(try metrics(client).contains(#""series":[[[],6]]"#))
    try client.say(#"{"op":"send","signal":"g.t","event":"completed"}"#)
    #expect(try metrics(client).hasPrefix(#"{"series":0,"#))
    try daemon.folder.writeConfiguration("g: {signals: {t: {input: {endable: true}}}}")
    _ = try client.ask("reload")
    #expect(try metrics(client) == #"{"series":0,"dropped":0,"refused":0,"families":[]}"#)
  }
}

@Suite struct `Values of many signals` {
  private static let graphs = """
    g:
      signals:
        a: {input: {}, replay: 100, unit_of_measurement: °C}
        b: {property: {initial: x}}
        none: {input: {}, hold: true}
        lazy: {interval: 1h, lazy: true, hold: true}
    h: {signals: {c: {property: {initial: true}}}}
    """

  private func names(_ answer: String) -> [String] {
    answer.split(separator: #""signal":""#).dropFirst().map { String($0.prefix { $0 != "\"" }) }
  }

  @Test(arguments: HostKind.allCases) func `come in one reply, and nothing is started`(kind: HostKind) throws {
    let client = try kind.start(Self.graphs).connect()
    for number in 1...5 { try client.say("send g.a \(number)") }
    let all = try client.ask("values")
    #expect(names(all) == ["g.a", "g.b", "h.c"])
    #expect(all.contains(#"{"signal":"g.a","seq":5,"at":""#) && all.contains(#"Z","value":5,"unit":"°C"}"#))
    #expect(names(try client.ask("values h.*")) == ["h.c"])
    #expect(names(try client.ask(#"{"op":"values","pattern":"g.a","history":"1h"}"#)).count == 5)
    #expect(
      try (1...2).contains(names(client.ask(#"{"op":"values","pattern":"g.a","history":"1h","step":"1m"}"#)).count))
    #expect(try client.ask(#"{"op":"values","step":"1m"}"#).contains(#""step\" requires \"history\""#))
    #expect(try client.ask("values nothing.*") == #"{"reply":"values","values":[]}"#)
    #expect(try !client.ask("values signalbox.*").contains(#""code""#))
  }

  @Test func `are bounded`() throws {
    let client = try HostKind.inProcess.start("g: {signals: {a: {input: {}, replay: 100000}}}").connect()
    try client.send(0..<20_001, to: "g.a")
    #expect(try client.ask(#"{"op":"values","history":"1h"}"#).contains(#""code":"too_many""#))
    #expect(try client.ask(#"{"op":"values","history":"1h","step":"1s"}"#).contains(#""value":20000"#))
  }
}
