import Linux
import Testing

private let graphs = """
  g:
    signals:
      in: {input: {endable: true}}
      last: {from: in, replay: 5}
      other: {input: {}}
  """

@Suite struct `What a subscription wants` {
  @Test(arguments: HostKind.allCases) func `where passes the values for which it is true, one that it fails on is not`(
    kind: HostKind
  ) throws {
    let client = try kind.start(graphs).connect()
    try client.say(#"{"op":"subscribe","signal":"g.in","where":".x > 1 and $signal == \"g.in\""}"#)
    try client.say(#"{"op":"send","id":1,"signal":"g.in","values":[{"x":1},{"x":2},5,null,{"x":1.50}]}"#)
    try client.expect(
      #"{"reply":"subscribe","signals":[{"signal":"g.in","seq":0}]}"#,
      #"{"event":"next","signal":"g.in","seq":2,"value":{"x":2}}"#,
      #"{"event":"next","signal":"g.in","seq":5,"value":{"x":1.50}}"#,
      #"{"reply":"send","id":1,"signal":"g.in","seq":5}"#)
    #expect(try client.ask("stats").contains(#""sent":2,"dropped":0"#))
  }

  @Test(arguments: HostKind.allCases) func `where chooses among the retained values before replay and take count`(
    kind: HostKind
  ) throws {
    let client = try kind.start(graphs).connect()
    try client.say(#"{"op":"send","signal":"g.in","values":[1,2,3,4,5,6]}"#)
    try client.say(
      #"{"op":"subscribe","signal":"g.*","subscription":"odd","where":". % 2 == 1","replay":2}"#,
      #"{"op":"subscribe","signal":"g.last","where":". % 2 == 0","take":3}"#)
    _ = try client.line()
    try client.expect(
      #"{"event":"next","subscription":"odd","signal":"g.last","seq":3,"value":3}"#,
      #"{"event":"next","subscription":"odd","signal":"g.last","seq":5,"value":5}"#)
    _ = try client.line()
    try client.expect(
      #"{"event":"next","signal":"g.last","seq":2,"value":2}"#,
      #"{"event":"next","signal":"g.last","seq":4,"value":4}"#,
      #"{"event":"next","signal":"g.last","seq":6,"value":6}"#,
      #"{"event":"ended","signal":"g.last","reason":"take"}"#)
    try client.expectNothing()
  }

  @Test(
    arguments: HostKind.allCases,
    [
      (".x >", "not a valid expression"), ("test(\"a\")", "regular expressions"),
      ("sub(\"a\"; \"b\")", "regular expressions"),
      ("[.[] | scan(\"a\")]", "regular expressions"), ("$value", "not a valid expression"),
      ("input", "not a valid expression"),
    ])
  func `a where that is no expression, or searches with patterns, is refused`(
    kind: HostKind, wrong: (source: String, message: String)
  ) throws {
    let client = try kind.start(graphs).connect()
    let source = wrong.source.replacing("\"", with: "\\\"")
    let answer = try client.ask(#"{"op":"subscribe","signal":"g.in","where":"\#(source)"}"#)
    #expect(answer.contains(#""code":"bad_request""#) && answer.contains(wrong.message), "\(answer)")
    #expect(try client.ask("subscribe g.in").hasPrefix(#"{"reply":"subscribe""#))
  }

  @Test(arguments: HostKind.allCases) func `a where that takes too many steps is false`(kind: HostKind) throws {
    let client = try kind.start(graphs).connect()
    try client.say(#"{"op":"subscribe","signal":"g.in","where":"[range(.)] | length > 3"}"#)
    _ = try client.line()
    try client.say(#"{"op":"send","signal":"g.in","values":[3,4,1000000000,5]}"#)
    try client.expect(
      #"{"event":"next","signal":"g.in","seq":2,"value":4}"#, #"{"event":"next","signal":"g.in","seq":4,"value":5}"#)
    try client.expectNothing()
  }

  @Test(arguments: HostKind.allCases) func `every passes one value in its time, the newest, and none is held for ever`(
    kind: HostKind
  ) throws {
    let daemon = try kind.start(graphs)
    let client = try daemon.connect()
    try client.say(#"{"op":"subscribe","signal":"g.in","every":"100ms"}"#)
    _ = try client.line()
    let begin = MonotonicInstant.now()
    try client.say(#"{"op":"send","signal":"g.in","values":[1,2,3]}"#)
    try client.expect(#"{"event":"next","signal":"g.in","seq":1,"value":1}"#)
    try client.expect(#"{"event":"next","signal":"g.in","seq":3,"value":3}"#)
    #expect(MonotonicInstant.now() - begin >= .milliseconds(100))
    try client.say("send g.in 4", "send g.in 5")
    try client.expect(#"{"event":"next","signal":"g.in","seq":5,"value":5}"#)
    #expect(MonotonicInstant.now() - begin >= .milliseconds(200))
    try client.expectNothing()
  }

  @Test(arguments: HostKind.allCases) func `the value that waits for its time comes before an ending`(kind: HostKind)
    throws
  {
    let client = try kind.start(graphs).connect()
    try client.say(#"{"op":"subscribe","signal":"g.in","every":"1h"}"#)
    try client.say(#"{"op":"send","signal":"g.in","values":[1,2,3]}"#)
    try client.say(#"{"op":"send","signal":"g.in","event":"completed"}"#)
    _ = try client.line()
    try client.expect(
      #"{"event":"next","signal":"g.in","seq":1,"value":1}"#, #"{"event":"next","signal":"g.in","seq":3,"value":3}"#,
      #"{"event":"completed","signal":"g.in"}"#)
    try client.expectNothing()
  }

  @Test(arguments: HostKind.allCases) func `each subscriber's every counts from its own first value`(kind: HostKind)
    throws
  {
    let daemon = try kind.start(graphs)
    let (early, late) = (try daemon.connect(), try daemon.connect())
    let subscribe = #"{"op":"subscribe","signal":"g.in","every":"1h"}"#
    _ = try early.ask(subscribe)
    try early.say("send g.in 1")
    try early.expect(#"{"event":"next","signal":"g.in","seq":1,"value":1}"#)
    _ = try late.ask(subscribe)
    try early.say("send g.in 2")
    try late.expect(#"{"event":"next","signal":"g.in","seq":2,"value":2}"#)
    try early.expectNothing()
    try late.say("unsubscribe g.in")
    try late.expect(#"{"reply":"unsubscribe"}"#)
    try late.expectNothing()
  }

  @Test(arguments: HostKind.allCases) func `of retained values every passes the newest`(kind: HostKind) throws {
    let client = try kind.start(graphs).connect()
    try client.say(#"{"op":"send","signal":"g.in","values":[1,2,3]}"#)
    try client.say(#"{"op":"subscribe","signal":"g.last","every":"1h","where":". < 3"}"#)
    _ = try client.line()
    try client.expect(#"{"event":"next","signal":"g.last","seq":2,"value":2}"#)
    try client.say("send g.in 0")
    try client.expectNothing()
  }

  @Test(arguments: HostKind.allCases) func `heartbeat speaks again and again while a signal is quiet`(kind: HostKind)
    throws
  {
    let daemon = try kind.start(graphs)
    let (client, sender) = (try daemon.connect(), try daemon.connect())
    let begin = MonotonicInstant.now()
    try client.say(#"{"op":"subscribe","signal":"g.in","subscription":"x","heartbeat":"50ms"}"#)
    _ = try client.line()
    let alive = #"{"event":"alive","subscription":"x","signal":"g.in","seq":"#
    try client.expect(alive + "0}", alive + "0}")
    #expect(MonotonicInstant.now() - begin >= .milliseconds(100))
    try sender.say("send g.in 7")
    while true {
      let line = try client.line()
      if line == #"{"event":"next","subscription":"x","signal":"g.in","seq":1,"value":7}"# { break }
      #expect(line == alive + "0}")
    }
    try client.expect(alive + "1}")
    #expect(try daemon.connect().ask("stats").contains(#""subscriptions":0"#))
  }

  @Test(arguments: HostKind.allCases) func `a heartbeat does not count a value that waits for its interval`(
    kind: HostKind
  ) throws {
    let daemon = try kind.start(graphs)
    let (client, sender) = (try daemon.connect(), try daemon.connect())
    try client.say(#"{"op":"subscribe","signal":"g.in","every":"300ms","heartbeat":"20ms"}"#)
    _ = try client.line()
    try sender.say("send g.in 1")
    try sender.say("send g.in 2")
    try sender.say("send g.in 3")
    var last = 0
    while last < 3 {
      let line = try client.line()
      let number = try #require(line.number(behind: #""seq":"#).map { Int($0) })
      if line.contains("alive") { #expect(number == (last == 0 ? 0 : 2)) } else { last = number }
    }
    #expect(try client.line() == #"{"event":"alive","signal":"g.in","seq":3}"#)
  }

  @Test(arguments: HostKind.allCases) func `a heartbeat is silent while values come, and stops with its subscription`(
    kind: HostKind
  ) throws {
    let daemon = try kind.start(graphs)
    let client = try daemon.connect()
    try client.say(#"{"op":"subscribe","signal":"g.in","heartbeat":"300ms"}"#)
    _ = try client.line()
    let begin = MonotonicInstant.now()
    var latest = begin
    var number = 0
    while MonotonicInstant.now() - begin < .milliseconds(450) {
      number += 1
      try client.say("send g.in \(number)")
      var line = try client.line()
      // On a busy machine, a silence may be real.
      while line.contains("alive") && MonotonicInstant.now() - latest >= .milliseconds(300) { line = try client.line() }
      latest = .now()
      #expect(line == #"{"event":"next","signal":"g.in","seq":\#(number),"value":\#(number)}"#)
    }
    try client.say(#"{"op":"send","signal":"g.in","event":"completed"}"#)
    try client.expect(#"{"event":"completed","signal":"g.in"}"#)
    // A shorter heartbeat of another signal shows that time passes without an event of the first.
    try client.say(#"{"op":"subscribe","signal":"g.other","heartbeat":"400ms"}"#)
    _ = try client.line()
    try client.expect(#"{"event":"alive","signal":"g.other","seq":0}"#)
  }

  @Test(arguments: HostKind.allCases) func `timestamps stand last in every event of a subscription`(kind: HostKind)
    throws
  {
    let client = try kind.start(graphs).connect()
    try client.say(#"{"op":"subscribe","signal":"g.in","timestamps":true,"heartbeat":"10ms","take":1}"#)
    _ = try client.line()
    let alive = try client.line()
    #expect(alive.hasPrefix(#"{"event":"alive","signal":"g.in","seq":0,"at":"2"#) && alive.hasSuffix(#"Z"}"#))
    try client.say("send g.in 1")
    var line = alive
    while line.contains("alive") { line = try client.line() }
    #expect(line.hasPrefix(#"{"event":"next","signal":"g.in","seq":1,"value":1,"at":"2"#))
    #expect(try client.line().hasPrefix(#"{"event":"ended","signal":"g.in","reason":"take","at":"2"#))
  }

  @Test(arguments: HostKind.allCases) func `of a hundred subscribers each gets what its where selects`(kind: HostKind)
    throws
  {
    let client = try kind.start(graphs, server: "{limits: {output: 4MiB}}").connect()
    for number in 0..<100 {
      try client.say(
        #"{"op":"subscribe","signal":"g.in","subscription":"\#(number)","where":". % 100 == \#(number)","overflow":"drop_newest"}"#
      )
      _ = try client.line()
    }
    try client.say(#"{"op":"send","signal":"g.in","values":[\#((0..<200).map(String.init).joined(separator: ","))]}"#)
    for number in 0..<200 {
      try client.expect(
        #"{"event":"next","subscription":"\#(number % 100)","signal":"g.in","seq":\#(number + 1),"value":\#(number)}"#)
    }
    try client.expectNothing()
  }
}
