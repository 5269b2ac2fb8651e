import Testing

private let graphs = """
  g:
    signals:
      in: {input: {endable: true}, hold: true}
      twice: {from: in, pipe: [{map: . * 2}]}
      other: {input: {endable: true}}
  """

@Suite struct `Restart` {
  @Test(arguments: HostKind.allCases) func `an ended signal restarts, its numbers continue, and patterns receive that`(
    kind: HostKind
  ) throws {
    let client = try kind.start(graphs).connect()
    try client.say("subscribe g.*", "subscribe g.in", "send g.in 1")
    _ = try client.lines(5)
    try client.say(#"{"op":"send","signal":"g.in","event":"completed"}"#)
    let ended = Set(try client.lines(3))
    #expect(ended == [#"{"event":"completed","signal":"g.in"}"#, #"{"event":"completed","signal":"g.twice"}"#])
    #expect(try client.ask("send g.in 2").contains(#""code":"ended""#))
    try client.say("restart g.in")
    try client.expect(
      #"{"event":"subscribed","signal":"g.in","seq":1}"#, #"{"event":"subscribed","signal":"g.twice","seq":1}"#,
      #"{"reply":"restart"}"#)
    try client.say("send g.in 2")
    try client.expect(
      #"{"event":"next","signal":"g.in","seq":2,"value":2}"#, #"{"event":"next","signal":"g.twice","seq":2,"value":4}"#)
    try client.expectNothing()
    #expect(try client.ask("subscribe g.in").contains(#""seq":2"#))
  }

  @Test(arguments: HostKind.allCases, ["g", "g.pub"])
  func `private signals restart with what is computed from them`(kind: HostKind, name: String) throws {
    let client = try kind.start(
      """
      g:
        signals:
          b: {input: {}}
          root: {from: b, pipe: [{check: . < 5}], private: true}
          cold: {from: root, private: true, cold: true}
          priv: {from: cold, private: true}
          pub: {from: priv, hold: true}
      """
    ).connect()
    _ = try client.ask(#"{"op":"send","id":1,"signal":"g.b","value":9}"#)
    #expect(try client.ask("get g.pub").contains("and has failed: "))
    try client.say("restart \(name)")
    try client.expect(#"{"reply":"restart"}"#)
    _ = try client.ask(#"{"op":"send","id":2,"signal":"g.b","value":1}"#)
    #expect(try client.ask("get g.pub") == #"{"reply":"get","signal":"g.pub","seq":1,"value":1}"#)
  }

  @Test(arguments: HostKind.allCases) func `of a graph only what has ended restarts`(kind: HostKind) throws {
    let client = try kind.start(graphs).connect()
    try client.say("send g.in 1", #"{"op":"send","signal":"g.other","event":"completed"}"#, "subscribe g.*")
    _ = try client.lines(3)
    try client.say("restart g")
    try client.expect(#"{"event":"subscribed","signal":"g.other","seq":0}"#, #"{"reply":"restart"}"#)
    #expect(try client.ask("get g.in") == #"{"reply":"get","signal":"g.in","seq":1,"value":1}"#)
    #expect(try client.ask("restart g.nothing").contains(#""code":"unknown_signal""#))
    #expect(try client.ask("restart h").contains(#""code":"unknown_graph""#))
  }
}
