import Glibc
import Testing
import WireProtocol

@testable import Daemon

private let graphs = """
  g:
    doc: A graph
    signals:
      in: {input: {type: number, endable: true}, doc: Numbers}
      any: {input: {}}
      double: {from: in, pipe: [{map: . * 2}], hold: true}
      even: {from: in, pipe: [{filter: . % 2 == 0}]}
      limit: {property: {initial: 25, type: number}}
      last: {from: any, replay: 3}
  other:
    signals:
      in: {input: {}}
  """

@Suite struct `Requests and their answers` {
  @Test(arguments: HostKind.allCases) func `ping is answered`(kind: HostKind) throws {
    let client = try kind.start(graphs).connect()
    #expect(try client.ask(#"{"op":"ping"}"#) == #"{"reply":"ping"}"#)
    #expect(try client.ask(#"{"id":"a b","op":"ping"}"#) == #"{"reply":"ping","id":"a b"}"#)
    #expect(try client.ask("ping") == #"{"reply":"ping"}"#)
  }

  @Test(arguments: HostKind.allCases) func `send is silent without an id and replies with the number with one`(
    kind: HostKind
  ) throws {
    let client = try kind.start(graphs).connect()
    try client.say(#"{"op":"send","signal":"g.in","value":1}"#)
    try client.expectNothing()
    #expect(
      try client.ask(#"{"op":"send","id":1,"signal":"g.in","value":2}"#)
        == #"{"reply":"send","id":1,"signal":"g.in","seq":2}"#)
    #expect(
      try client.ask(#"{"op":"send","signal":"g.in","values":[3,4,5],"id":1.50}"#)
        == #"{"reply":"send","id":1.50,"signal":"g.in","seq":5}"#)
    try client.say("send g.in 6")
    try client.expectNothing()
  }

  @Test(arguments: HostKind.allCases) func `values are checked whole before the first is sent`(kind: HostKind) throws {
    let client = try kind.start(graphs).connect()
    try client.say("subscribe g.in", #"{"op":"send","signal":"g.in","values":[1,"x"]}"#)
    try client.expect(
      #"{"reply":"subscribe","signals":[{"signal":"g.in","seq":0}]}"#,
      #"{"reply":"error","op":"send","error":{"code":"bad_value","message":"\"g.in\" takes a number, not a string, in value 2 of 2"}}"#
    )
    try client.expectNothing()
  }

  @Test(
    arguments: HostKind.allCases,
    [
      (#"{"op":"get","signal":"g.limit"}"#, #"{"reply":"get","signal":"g.limit","seq":1,"value":25}"#),
      (
        #"{"op":"get","signal":"g.double"}"#,
        #"{"reply":"error","op":"get","error":{"code":"no_value","message":"\"g.double\" holds no value"}}"#
      ),
      (
        #"{"op":"get","signal":"g.limt"}"#,
        #"{"reply":"error","op":"get","error":{"code":"unknown_signal","message":"no signal \"g.limt\"; did you mean \"g.limit\"?"}}"#
      ),
      (
        "list g.l**",
        #"{"reply":"error","op":"list","error":{"code":"bad_request","message":"\"pattern\" must be a signal's name or a pattern such as \"climate.*\", in which * matches a segment or a part of one, not \"g.l**\""}}"#
      ),
      (
        "list other.*",
        #"{"reply":"list","signals":[{"signal":"other.in","kind":"input","send":true,"subscribe":true,"held":false}]}"#
      ),
      (
        "list *.limit",
        #"{"reply":"list","signals":[{"signal":"g.limit","kind":"property","send":true,"subscribe":true,"held":true}]}"#
      ),
      (
        "describe g.double",
        #"{"reply":"describe","signal":"g.double","kind":"derived","declaration":{"from":"in","pipe":[{"map":". * 2"}],"hold":true},"upstream":["g.in"],"downstream":[],"seq":0,"subscribers":0,"errors":0,"dropped":0}"#
      ),
      (
        #"{"op":"describe","signal":"g.double","place":false}"#,
        #"{"reply":"describe","signal":"g.double","kind":"derived","declaration":{"from":"in","pipe":[{"map":". * 2"}],"hold":true},"upstream":["g.in"],"downstream":[],"seq":0,"subscribers":0,"errors":0,"dropped":0}"#
      ),
      (
        "describe gg",
        #"{"reply":"error","op":"describe","error":{"code":"unknown_graph","message":"no graph \"gg\"; did you mean \"g\"?"}}"#
      ),
      (
        "send g.double 1",
        #"{"reply":"error","op":"send","error":{"code":"not_an_input","message":"\"g.double\" is derived from other signals: only inputs and properties take values"}}"#
      ),
      (
        "send g.in true",
        #"{"reply":"error","op":"send","error":{"code":"bad_value","message":"\"g.in\" takes a number, not a boolean"}}"#
      ),
      (
        #"{"op":"send","id":3,"signal":"g.any","event":"completed"}"#,
        #"{"reply":"error","id":3,"op":"send","error":{"code":"denied","message":"\"g.any\" is not endable: set endable: true in its declaration"}}"#
      ),
      (
        "unsubscribe g.in",
        #"{"reply":"error","op":"unsubscribe","error":{"code":"not_subscribed","message":"no subscription \"g.in\" on this connection"}}"#
      ),
      (
        #"{"op":"call","id":1,"action":"g.fan"}"#,
        #"{"reply":"error","id":1,"op":"call","error":{"code":"unknown_action","message":"no action \"g.fan\""}}"#
      ),
      (
        #"{"op":"subscribe","signal":"g.in","overflow":"block"}"#,
        #"{"reply":"error","op":"subscribe","error":{"code":"bad_request","message":"\"overflow\":\"block\" requires backpressure: true in the declaration of \"g.in\""}}"#
      ),
    ])
  func `a request has one answer`(kind: HostKind, exchange: (request: String, answer: String)) throws {
    let client = try kind.start(graphs).connect()
    #expect(try client.ask(exchange.request) == exchange.answer)
    try client.expectNothing()
  }

  @Test(arguments: RequestDeclaration.all.map(\.op)) func `the daemon has a handler of each request`(op: String) {
    #expect(RequestDeclaration.named(op)?.type is any DaemonRequest.Type)
  }

  @Test(arguments: HostKind.allCases) func `hello identifies the daemon and the user`(kind: HostKind) throws {
    let client = try kind.start(graphs).connect()
    let answer = try client.ask("hello")
    #expect(answer.hasPrefix(#"{"reply":"hello","server":"signalbox","version":"#))
    #expect(answer.contains(#""protocol":1,"capabilities":["#))
    for capability in RequestDeclaration.all.flatMap(\.capabilities) { #expect(answer.contains("\"\(capability)\"")) }
    #expect(
      answer.contains(#""generation":1,"user":{"uid":\#(geteuid()),"gid":\#(getegid())},"limits":{"line":1048576,"#))
    #expect(try client.ask(#"{"op":"hello","protocol":2}"#).contains(#""code":"bad_request""#))
  }

  @Test(arguments: HostKind.allCases) func `the end of a signal is answered with its last number`(kind: HostKind) throws
  {
    let client = try kind.start("g: {signals: {a: {input: {endable: true}}, b: {input: {endable: true}}}}").connect()
    try client.say("send g.a 1", "send g.a 2")
    for (signal, last) in [("g.a", 2), ("g.b", 0)] {
      #expect(
        try client.ask(#"{"op":"send","id":1,"signal":"\#(signal)","event":"completed"}"#)
          == #"{"reply":"send","id":1,"signal":"\#(signal)","seq":\#(last)}"#)
    }
    #expect(try client.ask(#"{"op":"send","id":1,"signal":"g.a","event":"completed"}"#).contains(#""code":"ended""#))
    _ = try client.ask("restart g.a")
    try client.say("send g.a 3")
    #expect(
      try client.ask(#"{"op":"send","id":1,"signal":"g.a","event":"interrupted"}"#)
        == #"{"reply":"send","id":1,"signal":"g.a","seq":3}"#)
  }

  @Test(arguments: HostKind.allCases) func `stats counts the turns of the graphs`(kind: HostKind) throws {
    let client = try kind.start("g: {signals: {a: {input: {}}, b: {input: {}}, c: {from: b, pipe: [{map: .}]}}}")
      .connect()
    let before = try #require(try client.ask("stats").number(behind: #""turns":"#))
    for _ in 0..<5 { try client.expectNothing() }
    try client.say("send g.a 1", "send g.b 1", "send g.b 2")
    #expect(try client.ask("stats").number(behind: #""turns":"#) == before + 3)
  }

  @Test(arguments: HostKind.allCases) func `replies come in the order of the requests`(kind: HostKind) throws {
    let client = try kind.start(graphs).connect()
    try client.say((1...500).map { #"{"op":"get","id":\#($0),"signal":"g.limit"}"# }.joined(separator: "\n"))
    for id in 1...500 { try client.expect(#"{"reply":"get","id":\#(id),"signal":"g.limit","seq":1,"value":25}"#) }
  }

  @Test(arguments: HostKind.allCases) func `a connection's statistics count its values`(kind: HostKind) throws {
    let client = try kind.start(graphs).connect()
    try client.say("subscribe g.in", "send g.in 1", "send g.in 2")
    _ = try client.lines(3)
    let answer = try client.ask("stats")
    #expect(answer.contains(#""connection":{"received":2,"sent":2,"dropped":0,"subscriptions":1,"queued_bytes":0}"#))
  }
}
