import Testing

private let graphs = """
  g:
    signals:
      in: {input: {endable: true}}
      sum: {from: in, pipe: [{scan: {initial: 0, next: "$state + ."}}], hold: true}
      last: {from: in, replay: 3}
      evens: {from: in, pipe: [{filter: . % 2 == 0}]}
  h:
    signals:
      in: {input: {}}
  """

@Suite struct `Subscriptions` {
  @Test(arguments: HostKind.allCases) func `events that a send causes stand before its reply`(kind: HostKind) throws {
    let client = try kind.start(graphs).connect()
    try client.say(#"{"op":"subscribe","signal":"g.in"}"#, #"{"op":"send","id":1,"signal":"g.in","values":[1,2]}"#)
    try client.expect(
      #"{"reply":"subscribe","signals":[{"signal":"g.in","seq":0}]}"#,
      #"{"event":"next","signal":"g.in","seq":1,"value":1}"#,
      #"{"event":"next","signal":"g.in","seq":2,"value":2}"#,
      #"{"reply":"send","id":1,"signal":"g.in","seq":2}"#)
  }

  @Test(arguments: HostKind.allCases) func `a value that only passes through keeps its bytes`(kind: HostKind) throws {
    let client = try kind.start(graphs).connect()
    try client.say("subscribe g.in")
    _ = try client.line()
    for value in [
      "12345678901234567890", "1.10", "-0", "1e3", #""\u00e9\/é""#, #"{"b":1,"a":2,"b":3}"#, "[1,[2,{}]]", "null",
    ] {
      try client.say(#"{"op":"send","signal":"g.in","value":\#(value)}"#)
      #expect(try client.line().hasSuffix(#","value":\#(value)}"#))
    }
  }

  @Test(arguments: HostKind.allCases) func `computed values stand among those that they are computed from`(
    kind: HostKind
  ) throws {
    let daemon = try kind.start(graphs)
    let (both, few, all) = try (daemon.connect(), daemon.connect(), daemon.connect())
    try both.say("subscribe g.in", "subscribe g.evens")
    try few.say(#"{"op":"subscribe","signal":"g.sum","take":2}"#)
    try all.say("subscribe g.sum")
    _ = try (both.lines(2), few.line(), all.line())
    try both.write("send g.in 1\nsend g.in 2\nsend g.in 3\nsend g.in 4\nping\n")
    func event(_ signal: String, _ number: Int, _ value: Int) -> String {
      #"{"event":"next","signal":"\#(signal)","seq":\#(number),"value":\#(value)}"#
    }
    try both.expect(
      event("g.in", 1, 1), event("g.in", 2, 2), event("g.evens", 1, 2), event("g.in", 3, 3), event("g.in", 4, 4),
      event("g.evens", 2, 4), #"{"reply":"ping"}"#)
    try few.expectNothing(
      after: event("g.sum", 1, 1), event("g.sum", 2, 3), #"{"event":"ended","signal":"g.sum","reason":"take"}"#)
    try all.expectNothing(
      after: event("g.sum", 1, 1), event("g.sum", 2, 3), event("g.sum", 3, 6), event("g.sum", 4, 10))
  }

  @Test(arguments: HostKind.allCases) func `a send whose pipe lets nothing through has no number`(kind: HostKind) throws
  {
    let client = try kind.start("g: {signals: {in: {input: {}, pipe: [{filter: . > 5}]}}}").connect()
    #expect(
      try client.ask(#"{"op":"send","id":1,"signal":"g.in","value":3}"#)
        == #"{"reply":"send","id":1,"signal":"g.in","seq":null}"#)
    #expect(
      try client.ask(#"{"op":"send","id":2,"signal":"g.in","value":7}"#)
        == #"{"reply":"send","id":2,"signal":"g.in","seq":1}"#)
  }

  @Test(arguments: HostKind.allCases) func `a new subscriber gets what is held and then what is live, with no gap`(
    kind: HostKind
  ) throws {
    let daemon = try kind.start(graphs)
    let sender = try daemon.connect()
    try sender.say(#"{"op":"send","id":1,"signal":"g.in","values":[1,2,3,4]}"#)
    _ = try sender.line()
    let client = try daemon.connect()
    try client.say("subscribe g.*")
    try client.expect(
      """
      {"reply":"subscribe","signals":[{"signal":"g.in","seq":4},{"signal":"g.sum","seq":4},\
      {"signal":"g.last","seq":4},{"signal":"g.evens","seq":2}]}
      """,
      #"{"event":"next","signal":"g.sum","seq":4,"value":10}"#,
      #"{"event":"next","signal":"g.last","seq":2,"value":2}"#,
      #"{"event":"next","signal":"g.last","seq":3,"value":3}"#,
      #"{"event":"next","signal":"g.last","seq":4,"value":4}"#)
    try sender.say("send g.in 5")
    let live = Set(try client.lines(3))
    #expect(
      live == [
        #"{"event":"next","signal":"g.in","seq":5,"value":5}"#,
        #"{"event":"next","signal":"g.sum","seq":5,"value":15}"#,
        #"{"event":"next","signal":"g.last","seq":5,"value":5}"#,
      ])
    try client.expectNothing()
  }

  @Test(arguments: HostKind.allCases, [(0, 0), (2, 2), (9, 3)])
  func `replay chooses how many retained values come`(kind: HostKind, counts: (asked: Int, come: Int)) throws {
    let client = try kind.start(graphs).connect()
    try client.say(#"{"op":"send","signal":"g.in","values":[1,2,3,4]}"#)
    try client.say(#"{"op":"subscribe","signal":"g.last","replay":\#(counts.asked)}"#)
    _ = try client.line()
    for value in 1...4 where value > 4 - counts.come {
      try client.expect(#"{"event":"next","signal":"g.last","seq":\#(value),"value":\#(value)}"#)
    }
    try client.expectNothing()
  }

  @Test(arguments: HostKind.allCases) func `from continues where another connection stopped`(kind: HostKind) throws {
    let client = try kind.start(graphs).connect()
    let hello = try client.ask("hello")
    let epoch = try #require(hello.split(separator: #""epoch":""#).last?.prefix { $0 != "\"" })
    try client.say(#"{"op":"send","signal":"g.in","values":[1,2,3,4]}"#)
    func answer(from: Int, epoch: some StringProtocol) throws -> String {
      try client.ask(#"{"op":"subscribe","signal":"g.last","from":\#(from),"epoch":"\#(epoch)"}"#)
    }
    #expect(try answer(from: 0, epoch: epoch).contains(#""code":"expired","#))
    #expect(try answer(from: 0, epoch: epoch).contains(#""oldest":2}"#))
    #expect(try answer(from: 3, epoch: "0").contains(#""code":"expired""#))
    #expect(try answer(from: 5, epoch: epoch).contains(#""code":"bad_request""#))
    #expect(try answer(from: 2, epoch: epoch) == #"{"reply":"subscribe","signals":[{"signal":"g.last","seq":4}]}"#)
    try client.expect(
      #"{"event":"next","signal":"g.last","seq":3,"value":3}"#, #"{"event":"next","signal":"g.last","seq":4,"value":4}"#
    )
    try client.expectNothing()
  }

  @Test(arguments: HostKind.allCases)
  func `from continues each signal of a pattern where another connection stopped`(kind: HostKind) throws {
    let daemon = try kind.start(
      """
        g:
          signals:
            a: {input: {}, replay: 2}
            b: {input: {}}
            c: {property: {initial: 7}}
            d: {input: {endable: true}, replay: 9}
            e: {from: d, cold: true}
      """)
    let client = try daemon.connect()
    let hello = try client.ask("hello")
    let epoch = String(try #require(hello.split(separator: #""epoch":""#).last?.prefix { $0 != "\"" }))
    try client.say(
      #"{"op":"send","signal":"g.a","values":[1,2,3,4]}"#, "send g.b 1", "send g.d 1", "send g.d 2",
      #"{"op":"send","signal":"g.d","event":"completed"}"#)
    let here = #""epoch":"\#(epoch)""#
    try client.say(
      #"{"op":"subscribe","signal":"g.*","from":{"g.a":{"seq":1,\#(here)},"g.b":{"seq":0,\#(here)},"#
        + #""g.c":{"seq":9,"epoch":"before"},"g.d":{"seq":1,\#(here)},"g.gone":{"seq":3,\#(here)}}}"#)
    try client.expect(
      #"{"reply":"subscribe","signals":[{"signal":"g.a","seq":4},{"signal":"g.b","seq":1},{"signal":"g.c","seq":1},"#
        + #"{"signal":"g.d","seq":2}]}"#,
      #"{"event":"lagged","signal":"g.a","dropped":1}"#,
      #"{"event":"next","signal":"g.a","seq":3,"value":3}"#, #"{"event":"next","signal":"g.a","seq":4,"value":4}"#,
      #"{"event":"lagged","signal":"g.b","dropped":1}"#,
      #"{"event":"renewed","signal":"g.c",\#(here)}"#, #"{"event":"next","signal":"g.c","seq":1,"value":7}"#,
      #"{"event":"next","signal":"g.d","seq":2,"value":2}"#, #"{"event":"completed","signal":"g.d"}"#)
    try client.say("send g.b 2")
    try client.expect(#"{"event":"next","signal":"g.b","seq":2,"value":2}"#)
    // An impossible number is refused, and nothing is subscribed to.
    let refused = try client.ask(
      #"{"op":"subscribe","signal":"*.a","from":{"g.a":{"seq":5,\#(here)}}}"#)
    #expect(refused.contains(#""code":"bad_request""#))
    #expect(try client.ask(#"{"op":"subscribe","signal":"*.a","from":{},"subscription":"new"}"#).contains(#""seq":4"#))
    try client.expect(
      #"{"event":"next","subscription":"new","signal":"g.a","seq":3,"value":3}"#,
      #"{"event":"next","subscription":"new","signal":"g.a","seq":4,"value":4}"#)
  }

  @Test func `a pattern has the first value of a lazy signal that another one in it starts`() throws {
    let client = try HostKind.inProcess.start(
      """
        g:
          signals:
            a: {from: b, lazy: true}
            b: {value: 1, lazy: true, hold: true}
      """
    ).connect()
    try client.say("subscribe g.*")
    _ = try client.line()
    #expect(
      try client.lines(4).filter { $0.contains("g.b") } == [
        #"{"event":"next","signal":"g.b","seq":1,"value":1}"#, #"{"event":"completed","signal":"g.b"}"#,
      ])
  }

  @Test(arguments: HostKind.allCases) func `several subscriptions to a signal each deliver, with their labels`(
    kind: HostKind
  ) throws {
    let client = try kind.start(graphs).connect()
    try client.say(
      "subscribe h.in", #"{"op":"subscribe","signal":"h.in","subscription":"a \"b\""}"#, "subscribe *.in",
      "subscribe h.in",
      "send h.in 1")
    _ = try client.lines(3)
    #expect(try client.line().contains(#""code":"already_subscribed""#))
    let events = Set(try client.lines(3))
    #expect(
      events == [
        #"{"event":"next","signal":"h.in","seq":1,"value":1}"#,
        #"{"event":"next","subscription":"a \"b\"","signal":"h.in","seq":1,"value":1}"#,
      ])
    try client.say(#"{"op":"unsubscribe","subscription":"a \"b\""}"#, "unsubscribe *.in", "send h.in 2")
    try client.expect(
      #"{"reply":"unsubscribe"}"#, #"{"reply":"unsubscribe"}"#, #"{"event":"next","signal":"h.in","seq":2,"value":2}"#)
    try client.expectNothing()
  }

  @Test(arguments: HostKind.allCases) func `labels are told apart by their bytes`(
    kind: HostKind
  ) throws {
    let client = try kind.start(graphs).connect()
    let labels = ["\u{e9}", "e\u{301}"]
    for label in labels { try client.say(#"{"op":"subscribe","signal":"h.in","subscription":"\#(label)"}"#) }
    #expect(try client.lines(2).allSatisfy { $0.hasPrefix(#"{"reply":"subscribe""#) })
    try client.say(#"send h.in "\u00e9""#)
    let events = Set(try client.lines(2).map { Array($0.utf8) })
    #expect(
      events
        == Set(
          labels.map {
            Array(#"{"event":"next","subscription":"\#($0)","signal":"h.in","seq":1,"value":"\u00e9"}"#.utf8)
          }))
    try client.say(#"{"op":"unsubscribe","subscription":"\#(labels[0])"}"#, "send h.in 2")
    #expect(try client.line() == #"{"reply":"unsubscribe"}"#)
    let event = try client.line()
    #expect(
      event.utf8.elementsEqual(
        #"{"event":"next","subscription":"\#(labels[1])","signal":"h.in","seq":2,"value":2}"#.utf8))
  }

  @Test(arguments: HostKind.allCases) func `a client's condition is its own, also beside one of other bytes`(
    kind: HostKind
  ) throws {
    let daemon = try kind.start(graphs)
    let clients = [try daemon.connect(), try daemon.connect()]
    for (client, form) in zip(clients, ["e\u{301}", "\u{e9}"]) {
      _ = try client.ask(#"{"op":"subscribe","signal":"h.in","where":". == \"\#(form)\""}"#)
    }
    try clients[0].say(#"{"op":"send","signal":"h.in","values":["\u00e9","e\u0301"]}"#)
    try clients[0].expect(#"{"event":"next","signal":"h.in","seq":2,"value":"e\u0301"}"#)
    try clients[1].expect(#"{"event":"next","signal":"h.in","seq":1,"value":"\u00e9"}"#)
  }

  @Test(arguments: HostKind.allCases) func `no event of a subscription follows the answer to unsubscribe`(
    kind: HostKind
  ) throws {
    let client = try kind.start(graphs).connect()
    try client.say("subscribe g.in", "send g.in 1", "unsubscribe g.in", "send g.in 2")
    _ = try client.line()
    try client.expect(#"{"event":"next","signal":"g.in","seq":1,"value":1}"#, #"{"reply":"unsubscribe"}"#)
    try client.expectNothing()
  }

  @Test(arguments: HostKind.allCases) func `take ends a subscription, retained values counted`(kind: HostKind) throws {
    let client = try kind.start(graphs).connect()
    try client.say(
      "send g.in 1", #"{"op":"subscribe","signal":"g.last","take":3}"#,
      #"{"op":"send","signal":"g.in","values":[2,3,4]}"#)
    _ = try client.line()
    try client.expect(
      #"{"event":"next","signal":"g.last","seq":1,"value":1}"#,
      #"{"event":"next","signal":"g.last","seq":2,"value":2}"#,
      #"{"event":"next","signal":"g.last","seq":3,"value":3}"#, #"{"event":"ended","signal":"g.last","reason":"take"}"#)
    try client.say(#"{"op":"subscribe","signal":"g.*","subscription":"x","take":2}"#)
    _ = try client.line()
    try client.expect(
      #"{"event":"next","subscription":"x","signal":"g.sum","seq":4,"value":10}"#,
      #"{"event":"next","subscription":"x","signal":"g.last","seq":2,"value":2}"#,
      #"{"event":"ended","subscription":"x","signal":"g.*","reason":"take"}"#)
    try client.say("send g.in 5")
    try client.expectNothing()
  }

  @Test(arguments: HostKind.allCases) func `timestamps put the time of each event last`(kind: HostKind) throws {
    let client = try kind.start(graphs).connect()
    try client.say(#"{"op":"subscribe","signal":"g.in","timestamps":true}"#, "send g.in 1")
    _ = try client.line()
    let event = try client.line()
    let pattern =
      #/\{"event":"next","signal":"g\.in","seq":1,"value":1,"at":"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z"\}/#
    #expect(event.wholeMatch(of: pattern) != nil)
  }

  @Test(
    arguments: HostKind.allCases,
    [
      (#""event":"completed""#, #"{"event":"completed","signal":"g.in"}"#),
      (#""event":"interrupted""#, #"{"event":"interrupted","signal":"g.in"}"#),
      (
        #""event":"failed","error":{"code":"c","message":"m"}"#,
        #"{"event":"failed","signal":"g.in","error":{"code":"c","message":"m"}}"#
      ),
    ])
  func `an ending is delivered to present subscribers and to later ones`(
    kind: HostKind, ending: (members: String, event: String)
  ) throws {
    let client = try kind.start(graphs).connect()
    try client.say("subscribe g.in", #"{"op":"send","id":1,"signal":"g.in",\#(ending.members)}"#, "send g.in 2")
    _ = try client.line()
    try client.expect(ending.event, #"{"reply":"send","id":1,"signal":"g.in","seq":0}"#)
    #expect(try client.line().contains(#""code":"ended""#))
    try client.say("subscribe g.in")
    try client.expect(#"{"reply":"subscribe","signals":[{"signal":"g.in","seq":0}]}"#, ending.event)
    try client.expectNothing()
  }

  @Test(arguments: HostKind.allCases) func `a pattern that matches nothing yet is no error`(kind: HostKind) throws {
    let client = try kind.start(graphs).connect()
    #expect(try client.ask("subscribe nobody.*") == #"{"reply":"subscribe","signals":[]}"#)
    #expect(try client.ask("subscribe nobody.home").contains(#""code":"unknown_signal""#))
  }

  @Test(arguments: HostKind.allCases) func `a ping is answered after what others have caused`(kind: HostKind) throws {
    let daemon = try kind.start(graphs)
    let (sender, client) = (try daemon.connect(), try daemon.connect())
    try client.say("subscribe g.in")
    _ = try client.line()
    try sender.say(
      #"{"op":"send","id":1,"signal":"g.in","values":[\#((1...2000).map(String.init).joined(separator: ","))]}"#)
    _ = try sender.line()
    try client.say("ping")
    let events = try client.lines(upTo: #"{"reply":"ping"}"#)
    #expect(events == (1...2000).map { #"{"event":"next","signal":"g.in","seq":\#($0),"value":\#($0)}"# })
  }
}
