import JSON
import Testing
import WireProtocol

struct ReplyTests {
  private func text(_ reply: some Reply, id: RequestID? = nil) -> String {
    WireProtocolTests.text { reply.append(to: &$0, id: id) }
  }

  @Test func `replies have their members in order, the id first`() throws {
    let id = try parsed(#"{"op":"ping","id":"a\u0062"}"#).get().id
    #expect(text(PingReply(), id: id) == #"{"reply":"ping","id":"a\u0062"}"#)
    #expect(text(UnsubscribeReply()) == #"{"reply":"unsubscribe"}"#)
    #expect(text(RestartReply()) == #"{"reply":"restart"}"#)
    #expect(text(CallReply(), id: RequestID(9)) == #"{"reply":"call","id":9}"#)
    #expect(
      text(SendReply(signal: "a.b", seq: 17), id: RequestID(1)) == #"{"reply":"send","id":1,"signal":"a.b","seq":17}"#)
    #expect(
      text(SendReply(signal: "a.b", seq: 17, isDuplicate: true))
        == #"{"reply":"send","signal":"a.b","seq":17,"duplicate":true}"#)
    #expect(text(SendReply(signal: "a.b", seq: nil)) == #"{"reply":"send","signal":"a.b","seq":null}"#)
    #expect(
      text(SubscribeReply(signals: [.init("climate.smooth", seq: 16), .init("climate.raw", seq: 0)]))
        == #"{"reply":"subscribe","signals":[{"signal":"climate.smooth","seq":16},{"signal":"climate.raw","seq":0}]}"#)
    #expect(
      text(SubscribeReply(signals: [.init("a.b", seq: 1)], epoch: "e"))
        == #"{"reply":"subscribe","signals":[{"signal":"a.b","seq":1}],"epoch":"e"}"#)
    #expect(
      text(SubscribeReply(signals: [.init("a.b", seq: 1, epoch: "e")]))
        == #"{"reply":"subscribe","signals":[{"signal":"a.b","seq":1,"epoch":"e"}]}"#)
    #expect(text(SubscribeReply(signals: [])) == #"{"reply":"subscribe","signals":[]}"#)
    let value = Payload.raw(RawJSON(validated: Array(#"{"x":1.50}"#.utf8)))
    #expect(
      text(GetReply(signal: "a.b", seq: 3, value: value))
        == #"{"reply":"get","signal":"a.b","seq":3,"value":{"x":1.50}}"#)
  }

  @Test func `hello identifies the daemon and the user`() {
    func reply(commit: String?) -> HelloReply {
      HelloReply(
        version: "1.0", commit: commit, capabilities: ["send"], epoch: "e", generation: 2,
        user: (uid: 1000, gid: 100), limits: ["line": 1_048_576])
    }
    #expect(text(reply(commit: "3c7d1f8b")).contains(#""version":"1.0","commit":"3c7d1f8b","protocol":1,"#))
    #expect(
      text(reply(commit: nil))
        == #"{"reply":"hello","server":"signalbox","version":"1.0","protocol":1,"capabilities":["send"],"epoch":"e","generation":2,"user":{"uid":1000,"gid":100},"limits":{"line":1048576}}"#
    )
    let paths = HelloReply.Paths(configuration: "/etc/a.yaml", state: "/var/lib/a")
    let told = HelloReply(
      version: "1.0", commit: nil, capabilities: [], epoch: "e", generation: 1, user: (uid: 0, gid: 0), limits: [:],
      paths: paths)
    #expect(text(told).hasSuffix(#""limits":{},"configuration":"/etc/a.yaml","state":"/var/lib/a"}"#))
  }

  @Test func `views show signals and actions`() {
    let view: JSONObject = ["name": "v", "title": "V", "show": [["signal": "a.b", "as": "value", "send": false]]]
    #expect(
      text(ViewsReply(views: [view]))
        == #"{"reply":"views","views":[{"name":"v","title":"V","show":[{"signal":"a.b","as":"value","send":false}]}]}"#)
  }

  @Test func `list and describe show signals`() {
    let listed = ListedSignal(
      signal: "a.b", kind: .input, canSend: true, canSubscribe: true, isHeld: false, doc: "the \"b\"", unit: "°C")
    #expect(
      text(ListReply(signals: [listed]))
        == #"{"reply":"list","signals":[{"signal":"a.b","kind":"input","send":true,"subscribe":true,"held":false,"unit":"°C","doc":"the \"b\""}]}"#
    )
    let description = SignalDescription(
      signal: "a.b", kind: .derived, declaration: ["from": "c"], upstream: ["a.c"], downstream: [],
      counts: SignalDescription.Counts(
        seq: 5, subscribers: 1, errors: 0, dropped: 2, time: Timestamp(microseconds: 1)),
      end: SignalEnd(event: "failed", failure: Failure(code: "x", message: "y"), time: Timestamp(microseconds: 0)))
    let members =
      #""signal":"a.b","kind":"derived","declaration":{"from":"c"},"upstream":["a.c"],"downstream":[],"seq":5,"subscribers":1,"errors":0,"dropped":2,"at":"1970-01-01T00:00:00.000001Z","ended":{"event":"failed","error":{"code":"x","message":"y"},"at":"1970-01-01T00:00:00.000000Z"}"#
    #expect(text(DescribeReply.signal(description)) == #"{"reply":"describe",\#(members)}"#)
    #expect(
      text(DescribeReply.graph("a", [description])) == #"{"reply":"describe","graph":"a","signals":[{\#(members)}]}"#)
  }

  @Test func `values have their times and units`() {
    let samples = [
      ValuesReply.Sample(
        signal: "a.b", seq: 1, time: Timestamp(microseconds: 1), value: .value(21.5), unit: "°C"),
      ValuesReply.Sample(signal: "a.c", seq: 2, time: Timestamp(microseconds: 0), value: .value("x"), unit: nil),
    ]
    #expect(
      text(ValuesReply(samples: samples))
        == #"{"reply":"values","values":[{"signal":"a.b","seq":1,"at":"1970-01-01T00:00:00.000001Z","value":21.5,"unit":"°C"},{"signal":"a.c","seq":2,"at":"1970-01-01T00:00:00.000000Z","value":"x"}]}"#
    )
    #expect(text(ValuesReply(samples: [])) == #"{"reply":"values","values":[]}"#)
  }

  @Test func `stats and reload count`() {
    let connection = StatsReply.OwnFigures(received: 1, sent: 2, dropped: 3, subscriptions: 4, queuedBytes: 5)
    #expect(
      text(StatsReply(connection: connection))
        == #"{"reply":"stats","connection":{"received":1,"sent":2,"dropped":3,"subscriptions":4,"queued_bytes":5}}"#)
    var daemon = StatsReply.DaemonFigures()
    daemon.limits = [.init("connections", used: 1, of: 2)]
    #expect(
      text(StatsReply(connection: connection, daemon: daemon, signals: ["a.b": [:]])).hasSuffix(
        #""daemon":{"uptime":0,"process_uptime":0,"handovers":0,"carried_over":0,"start_time":0,"generation":0,"connections":0,"memory_bytes":0,"turns":0,"values":0,"errors":0,"dropped":0,"lost":0,"subscriptions":0,"held_bytes":0,"ended":0,"failed":0,"turned_away":0,"denied":0,"version":"","limits":{"connections":{"used":1,"limit":2}}},"signals":{"a.b":{}}}"#
      ))
    var reload = ReloadReply(generation: 2)
    reload.added = ["a.b"]
    #expect(
      text(reload)
        == #"{"reply":"reload","generation":2,"kept":[],"changed":[],"added":["a.b"],"removed":[],"needs_restart":[]}"#)
  }
}
