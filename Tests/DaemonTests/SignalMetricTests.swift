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
