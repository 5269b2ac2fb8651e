import Testing

private let graphs = """
  g:
    signals:
      in: {input: {}}
      lazy: {from: in, pipe: [{scan: {initial: 0, next: "$state + ."}}], lazy: true}
      cold: {values: [1, 2, 3], cold: true}
      endless: {from: in, pipe: [{scan: {initial: 0, next: "$state + ."}}], cold: true}
  """

@Suite struct `Lazy and cold signals` {
  @Test(arguments: HostKind.allCases) func `a lazy signal runs while it has subscribers`(kind: HostKind) throws {
    let client = try kind.start(graphs).connect()
    try client.say("send g.in 1", "subscribe g.lazy", "send g.in 2", "send g.in 3")
    try client.expect(
      #"{"reply":"subscribe","signals":[{"signal":"g.lazy","seq":0}]}"#,
      #"{"event":"next","signal":"g.lazy","seq":1,"value":2}"#, #"{"event":"next","signal":"g.lazy","seq":2,"value":5}"#
    )
    try client.say("unsubscribe g.lazy", "send g.in 4", "subscribe g.lazy", "send g.in 5")
    try client.expect(
      #"{"reply":"unsubscribe"}"#, #"{"reply":"subscribe","signals":[{"signal":"g.lazy","seq":2}]}"#,
      #"{"event":"next","signal":"g.lazy","seq":3,"value":5}"#)
  }

  @Test(arguments: HostKind.allCases) func `each subscriber of a cold signal has a run and numbers of its own`(
    kind: HostKind
  ) throws {
    let daemon = try kind.start(graphs)
    for client in [try daemon.connect(), try daemon.connect()] {
      try client.say("subscribe g.cold")
      try client.expect(
        #"{"reply":"subscribe","signals":[{"signal":"g.cold","seq":0}]}"#,
        #"{"event":"next","signal":"g.cold","seq":1,"value":1}"#,
        #"{"event":"next","signal":"g.cold","seq":2,"value":2}"#,
        #"{"event":"next","signal":"g.cold","seq":3,"value":3}"#, #"{"event":"completed","signal":"g.cold"}"#)
      try client.expectNothing()
    }
    let (early, late) = (try daemon.connect(), try daemon.connect())
    _ = try early.ask("subscribe g.endless")
    try early.say("send g.in 1")
    try early.expect(#"{"event":"next","signal":"g.endless","seq":1,"value":1}"#)
    _ = try late.ask("subscribe g.endless")
    #expect(try early.ask("describe g.endless").contains(#""subscribers":2"#))
    try late.say("send g.in 2")
    try early.expect(#"{"event":"next","signal":"g.endless","seq":2,"value":3}"#)
    try late.expect(#"{"event":"next","signal":"g.endless","seq":1,"value":2}"#)
    try late.say("unsubscribe g.endless", "send g.in 3")
    try late.expect(#"{"reply":"unsubscribe"}"#)
    try late.expectNothing()
    try early.expect(#"{"event":"next","signal":"g.endless","seq":3,"value":6}"#)
  }

  @Test(arguments: HostKind.allCases) func `a lazy signal stops in the turn in which its last subscriber has its take`(
    kind: HostKind
  ) throws {
    let client = try kind.start(graphs).connect()
    try client.say(
      #"{"op":"subscribe","signal":"g.lazy","take":2}"#, #"{"op":"send","signal":"g.in","values":[1,2,3,4]}"#,
      "subscribe g.lazy")
    try client.expect(
      #"{"reply":"subscribe","signals":[{"signal":"g.lazy","seq":0}]}"#,
      #"{"event":"next","signal":"g.lazy","seq":1,"value":1}"#,
      #"{"event":"next","signal":"g.lazy","seq":2,"value":3}"#,
      #"{"event":"ended","signal":"g.lazy","reason":"take"}"#,
      #"{"reply":"subscribe","signals":[{"signal":"g.lazy","seq":2}]}"#)
  }

  @Test(arguments: HostKind.allCases) func `take, where and labels work on a run`(kind: HostKind) throws {
    let client = try kind.start(graphs).connect()
    try client.say(#"{"op":"subscribe","signal":"g.cold","subscription":"x","where":". > 1","take":1}"#)
    _ = try client.line()
    try client.expect(
      #"{"event":"next","subscription":"x","signal":"g.cold","seq":2,"value":2}"#,
      #"{"event":"ended","subscription":"x","signal":"g.cold","reason":"take"}"#)
    try client.expectNothing()
  }

  @Test(arguments: HostKind.allCases) func `patterns do not match cold signals, lists do`(kind: HostKind) throws {
    let client = try kind.start(graphs).connect()
    #expect(!(try client.ask("subscribe g.*").contains("cold")))
    #expect(try client.ask("list g.*").contains(#""signal":"g.cold","kind":"source""#))
  }
}
