import Testing

/// Adapters, which carry out the calls of actions and follow sources on the network.
@Suite struct `Adapters` {
  static let server =
    #"{bridge: service, connections: {api: {http: "https://api.example.org/v1", headers: {x-a: b}, concurrent: 2}}}"#

  static let graphs = #"""
    g:
      signals:
        in: {input: {}}
        out: {from: in, pipe: [{call: {action: notify, strategy: merge, concurrent: 4, retry: {times: 2, delay: 10ms}}}]}
        status: {http: {connection: api, path: /status, every: 30s}}
        errors: {from: notify.errors}
      actions:
        notify:
          http:
            connection: api
            method: POST
            path: '"/rooms/\(.room)"'
            query: '{level: .level}'
            headers: {x-room: .room}
            body: .
    """#

  @Test(arguments: HostKind.allCases)
  func `receive what there is when they attach`(kind: HostKind) throws {
    let adapter = try ScriptedAdapter(try kind.start(Self.graphs, server: Self.server))
    #expect(
      adapter.welcome
        == #"{"reply":"attach","id":"a","connections":[{"connection":"api","kind":"http","settings":{"url":"https://api.example.org","headers":{"x-a":"b"},"concurrent":2,"timeout":30,"limit":1048576}}],"declarations":[{"signal":"g.status","role":"source","kind":"http","connection":"api","settings":{"path":"/v1/status","every":30}},{"signal":"g.notify","role":"action","kind":"http","connection":"api","settings":{"idempotency":true}}],"line":2162688}"#
    )
  }

  @Test(arguments: HostKind.allCases)
  func `carry out the calls of a pipe`(kind: HostKind) throws {
    let daemon = try kind.start(Self.graphs, server: Self.server)
    let adapter = try ScriptedAdapter(daemon)
    let client = try daemon.connect()
    try client.say("subscribe g.out", #"send g.in {"room":"a b","level":2}"#)
    _ = try client.line()
    let task = try adapter.task()
    #expect(task.key.count == 32)
    #expect(
      task.line
        == #"{"event":"task","task":1,"signal":"g.notify","role":"action","connection":"api","value":{"room":"a b","level":2},"request":{"method":"POST","path":"/v1/rooms/a%20b","query":{"level":2},"body":"{\"room\":\"a b\",\"level\":2}","content_type":"application/json","headers":{"x-room":"a b"},"answer":"body"},"attempt":1,"key":"\#(task.key)"}"#
    )
    try adapter.client.say(
      #"{"op":"acknowledge","task":1,"result":"progress","value":1}"#,
      #"{"op":"acknowledge","task":1,"result":"done","payload":"{\"ok\": true}","content_type":"application/json; charset=utf-8"}"#
    )
    try client.expectNothing(
      after: #"{"event":"next","signal":"g.out","seq":1,"value":1}"#,
      #"{"event":"next","signal":"g.out","seq":2,"value":{"ok":true}}"#)
    try adapter.client.expectNothing()
  }

  @Test func `carry out the calls of clients, whose failures have the status`() throws {
    let daemon = try HostKind.inProcess.start(Self.graphs, server: Self.server)
    let adapter = try ScriptedAdapter(daemon)
    let client = try daemon.connect()
    try client.say(#"{"op":"call","id":1,"action":"g.notify","value":{"room":"x"}}"#)
    try adapter.fail(try adapter.task(), status: 503, retry: true)
    try client.expect(
      #"{"reply":"error","id":1,"op":"call","error":{"code":"http","message":"no","status":503}}"#)
    for code in ["connect", "tls", "too_large", "timeout"] {
      try client.say(#"{"op":"call","id":2,"action":"g.notify","value":{"room":"x"}}"#)
      try adapter.fail(try adapter.task(), code: code, retry: false)
      #expect(try client.line().hasPrefix(#"{"reply":"error","id":2,"op":"call","error":{"code":"\#(code)""#))
    }
    try client.say(#"{"op":"call","id":3,"action":"g.notify","value":{"room":".."}}"#)
    #expect(
      try client.line()
        == #"{"reply":"error","id":3,"op":"call","error":{"code":"failed","message":"path: a path cannot contain \".\" or \"..\" as a segment"}}"#
    )
    try adapter.client.expectNothing()
  }

  @Test func `are given a call again with the same key, until it is given up`() throws {
    let daemon = try HostKind.inProcess.start(Self.graphs, server: Self.server)
    let adapter = try ScriptedAdapter(daemon)
    let client = try daemon.connect()
    try client.say("subscribe g.errors", #"send g.in {"room":"x"}"#)
    _ = try client.line()
    let first = try adapter.task()
    try adapter.fail(first, status: 503, retry: true)
    let second = try adapter.task()
    #expect((second.key, second.attempt, second.number) == (first.key, 2, 2))
    try adapter.fail(second, code: "connect", retry: true)
    let third = try adapter.task()
    #expect((third.key, third.attempt) == (first.key, 3))
    try adapter.fail(third, status: 500, retry: true)
    for status in [#","status":503"#, "", #","status":500"#] {
      #expect(try client.line().hasSuffix(#""message":"no"\#(status)}}"#))
    }
    try client.say(#"send g.in {"room":"y"}"#)
    try adapter.fail(try adapter.task(), status: 404, retry: false)
    #expect(try client.line().contains(#""status":404"#))
    try adapter.client.expectNothing()
  }

  @Test func `that are killed leave their tasks to the next one, with the same key`() throws {
    let daemon = try HostKind.inProcess.start(Self.graphs, server: Self.server)
    var adapter: ScriptedAdapter? = try ScriptedAdapter(daemon)
    let client = try daemon.connect()
    try client.say("subscribe g.out", #"send g.in {"room":"x"}"#, #"send g.in {"room":"y"}"#)
    _ = try client.line()
    let tasks = try (0..<2).compactMap { _ in try adapter?.task() }
    adapter = nil
    let next = try ScriptedAdapter(daemon)
    for task in tasks {
      let again = try next.task()
      #expect((again.key, again.attempt) == (task.key, 1))
      #expect(again.number > 2)
      try next.finish(again, #","value":0"#)
    }
    _ = try client.lines(2)
    try client.expectNothing()
  }

  @Test func `are one for each kind, and only for users who may attach`() throws {
    let daemon = try HostKind.inProcess.start(Self.graphs, server: Self.server)
    let adapter = try ScriptedAdapter(daemon)
    #expect(try ScriptedAdapter(daemon).welcome.contains(#""code":"busy""#))
    #expect(
      try adapter.client.ask(#"{"op":"attach","id":2,"kinds":["http"]}"#).contains(#""code":"bad_request""#))
    let client = try daemon.connect()
    #expect(try client.ask(#"{"op":"attach","kinds":["htp"]}"#).contains(#"did you mean \"http\"?"#))
    for line in [
      #"{"op":"acknowledge","task":1,"result":"done"}"#, #"{"op":"report","connection":"api","state":"connected"}"#,
      #"{"op":"send","signal":"g.in","value":1,"position":"x"}"#, #"{"op":"send","signal":"g.in","payload":"1"}"#,
    ] {
      #expect(try client.ask(line).contains(#""code":"bad_request""#))
    }
    #expect(
      try adapter.client.ask(#"{"op":"acknowledge","task":9,"result":"done"}"#).contains("no task 9 was given"))
  }

  @Test func `can be checked beside one that is attached`() throws {
    let daemon = try HostKind.inProcess.start(Self.graphs, server: Self.server)
    let adapter = try ScriptedAdapter(daemon)
    let client = try daemon.connect()
    #expect(try client.ask(#"{"op":"attach","id":"a","kinds":["http"],"check":true}"#) == adapter.welcome)
    #expect(try client.ask(#"{"op":"report","connection":"api","state":"connected"}"#).contains("attach first"))
    try client.say(#"send g.in {"room":"x"}"#)
    #expect(try adapter.task().value == #"{"room":"x"}"#)
  }

  @Test func `get no more tasks than they take, and those of a stuck connection do not fill their window`() throws {
    let graphs = #"""
      g:
        signals:
          in: {input: {}}
          out: {from: in, pipe: [{call: {action: a, strategy: merge, concurrent: 100}}]}
          other: {input: {}}
          others: {from: other, pipe: [{call: {action: b, strategy: merge, concurrent: 100}}]}
        actions:
          a: {http: {connection: one, body: .}}
          b: {http: {connection: two, body: .}}
      """#
    let daemon = try HostKind.inProcess.start(
      graphs,
      server: "{bridge: service, connections: {one: {http: 'http://a', concurrent: 2}, two: {http: 'http://b'}}}")
    let adapter = try ScriptedAdapter(daemon, window: 5)
    let client = try daemon.connect()
    try client.say(#"{"op":"send","signal":"g.in","values":[1,2,3,4,5,6,7,8]}"#)
    let first = try (0..<4).map { _ in try adapter.task() }
    #expect(first.map(\.value) == ["1", "2", "3", "4"])
    try adapter.client.expectNothing()
    try client.say(#"{"op":"send","signal":"g.other","values":[1,2,3,4,5,6,7]}"#)
    for _ in 0..<5 { _ = try adapter.task() }
    try adapter.client.expectNothing()
    try adapter.finish(first[2])
    #expect(try adapter.task().value == "5")
    try adapter.client.expectNothing()
  }

  @Test func `receive cancel for a call that is over, and what they report of it has no effect`() throws {
    let graphs = #"""
      g:
        signals: {in: {input: {}}, out: {from: in, pipe: [{call: {action: a, strategy: latest}}]}}
        actions: {a: {http: {connection: api, body: .}}}
      """#
    let daemon = try HostKind.inProcess.start(graphs, server: Self.server)
    let adapter = try ScriptedAdapter(daemon)
    let client = try daemon.connect()
    try client.say("subscribe g.out", "send g.in 1")
    _ = try client.line()
    let task = try adapter.task()
    try client.say("send g.in 2")
    try adapter.client.expect(#"{"event":"cancel","task":1}"#)
    let second = try adapter.task()
    try adapter.finish(task, #","value":1"#)
    try adapter.finish(second, #","value":2"#)
    try client.expectNothing(after: #"{"event":"next","signal":"g.out","seq":1,"value":2}"#)
    try adapter.client.expectNothing()
  }

  @Test func `have the time that a call may take, and receive cancel when it is over`() throws {
    let graphs = #"g: {actions: {a: {http: {connection: api}, timeout: 50ms}}}"#
    let daemon = try HostKind.inProcess.start(graphs, server: Self.server)
    let adapter = try ScriptedAdapter(daemon)
    let client = try daemon.connect()
    try client.say(#"{"op":"call","id":1,"action":"g.a"}"#)
    #expect(try adapter.task().line.contains(#""deadline":0.0"#))
    #expect(try client.line().contains(#""code":"timeout""#))
    try adapter.client.expectNothing(after: #"{"event":"cancel","task":1}"#)
  }

  @Test func `need not be there when calls begin`() throws {
    let daemon = try HostKind.inProcess.start(Self.graphs, server: Self.server)
    let client = try daemon.connect()
    try client.say("subscribe g.out", #"send g.in {"room":"x"}"#)
    _ = try client.line()
    try client.expectNothing()
    let adapter = try ScriptedAdapter(daemon)
    try adapter.finish(try adapter.task(), #","payload":"done""#)
    try client.expect(#"{"event":"next","signal":"g.out","seq":1,"value":"done"}"#)
  }

  @Test func `give whole answers where they are asked for`() throws {
    let graphs = #"g: {actions: {a: {http: {connection: api, answer: full}}}}"#
    let daemon = try HostKind.inProcess.start(graphs, server: Self.server)
    let adapter = try ScriptedAdapter(daemon)
    let client = try daemon.connect()
    try client.say(#"{"op":"call","id":1,"action":"g.a"}"#)
    try adapter.finish(
      try adapter.task(),
      #","payload":"[1]","content_type":"application/problem+json","details":{"status":200,"headers":{"x":"y"}}"#)
    try client.expect(
      #"{"event":"next","call":1,"value":{"status":200,"headers":{"x":"y"},"body":[1]}}"#, #"{"reply":"call","id":1}"#)
  }

  @Test func `report the state of connections, without secrets`() throws {
    let daemon = try HostKind.inProcess.start(
      "g: {signals: {a: {input: {}}}}",
      server: """
        {bridge: service, connections: {api: {http: 'http://a', headers: {authorization: 'Bearer ${SECRET:-hunter22}'}}}}
        """)
    let client = try daemon.connect()
    try client.say("subscribe signalbox.connections")
    _ = try client.line()
    #expect(
      try client.ask("stats").contains(
        #""connections":{"api":{"kind":"http","state":"away","reason":"no adapter","since":"#))
    do {
      let adapter = try ScriptedAdapter(daemon)
      try adapter.client.say(#"{"op":"report","connection":"api","state":"connected"}"#)
      #expect(
        try client.line().hasPrefix(
          #"{"event":"next","signal":"signalbox.connections","seq":1,"value":{"connection":"api","kind":"http","state":"connected","since":""#
        ))
      try adapter.client.say(
        #"{"op":"report","connection":"api","state":"away","reason":"it does not take hunter22"}"#)
      #expect(try client.line().contains(#""state":"away","reason":"it does not take …","#))
      #expect(try adapter.client.ask(#"{"op":"report","connection":"apu","state":"away"}"#).contains("bad_request"))
    }
    #expect(try client.line().contains(#""state":"away","reason":"no adapter""#))
  }
}
