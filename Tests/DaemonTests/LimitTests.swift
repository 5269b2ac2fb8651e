import GraphModel
import Linux
import Testing

@testable import Daemon

private let graphs = "g: {signals: {a: {input: {}}}}"

@Suite struct `Limits` {
  @Test(
    arguments: HostKind.allCases,
    [("{limits: {connections: 2}}", "connections"), ("{limits: {user: {connections: 2}}}", "user.connections")])
  func `a connection too many gets one error and is closed`(
    kind: HostKind, limit: (server: String, name: String)
  ) throws {
    let daemon = try kind.start(graphs, server: limit.server)
    let (first, second) = (try daemon.connect(), try daemon.connect())
    try first.expectNothing()
    try second.expectNothing()
    let third = try daemon.connect()
    let error = try third.line()
    #expect(error.hasPrefix(#"{"reply":"error","error":{"code":"too_many","#) && error.contains("limits.\(limit.name)"))
    try third.expectEnd()
    try first.finish()
    try first.expectEnd()
    try daemon.connect().expectNothing()
  }

  @Test func `clients that are turned away again and again take a line a second in the log`() throws {
    let daemon = try HostKind.inProcess.start(graphs, server: "{limits: {connections: 1}}")
    let client = try daemon.connect()
    try client.expectNothing()
    let begin = MonotonicInstant.now()
    for _ in 0..<50 { _ = try daemon.connect().line() }
    let seconds = Int((MonotonicInstant.now() - begin) / .seconds(1))
    let log = try #require(daemon.host as? LoopHost).log
    let said = log.records.filter { $0.message.contains("rejected a connection") }
    #expect((1...1 + seconds).contains(said.count))
    #expect(said.first?.message.hasSuffix("(limits.connections)") == true)
    let stats = try client.ask("stats")
    #expect(stats.contains(#""turned_away":50,"#) && stats.contains(#""connections":{"used":1,"limit":1}"#))
  }

  @Test func `what is not logged is counted in the next line`() {
    var repetition = Repetition()
    let start = MonotonicInstant.now()
    #expect(repetition.next(at: start) == 0)
    for _ in 0..<3 { #expect(repetition.next(at: start + .milliseconds(999)) == nil) }
    #expect(repetition.next(at: start + .seconds(1)) == 3)
    #expect(repetition.next(at: start + .seconds(3)) == 0)
  }

  @Test(
    arguments: HostKind.allCases,
    [("{limits: {user: {memory: 4KiB}}}", "limits.user.memory"), ("{limits: {memory: 4KiB}}", "limits.memory")])
  func `subscriptions are charged to their user, and one too many is refused`(
    kind: HostKind, limit: (server: String, name: String)
  ) throws {
    let client = try kind.start(graphs, server: limit.server).connect()
    var refusal = ""
    for number in 1...100 where refusal.isEmpty {
      let answer = try client.ask(#"{"op":"subscribe","signal":"g.a","subscription":"\#(number)"}"#)
      if !answer.hasPrefix(#"{"reply":"subscribe""#) { refusal = answer }
    }
    #expect(refusal.contains(#""code":"too_many""#) && refusal.contains("(\(limit.name))"))
    #expect(try client.ask(#"{"op":"unsubscribe","subscription":"1"}"#) == #"{"reply":"unsubscribe"}"#)
    #expect(try client.ask("subscribe g.a").hasPrefix(#"{"reply":"subscribe""#))
  }

  @Test(arguments: HostKind.allCases) func `signals that a reload adds to a pattern are charged`(kind: HostKind) throws
  {
    let server = "{limits: {user: {memory: 40KiB}}}"
    let daemon = try kind.start(graphs, server: server)
    let (holder, client) = (try daemon.connect(), try daemon.connect())
    _ = try holder.ask("subscribe *.*")
    let signals = (0..<500).map { "s\($0): {input: {}}" }.joined(separator: ", ")
    try daemon.folder.writeConfiguration("g: {signals: {a: {input: {}}, \(signals)}}", server: server)
    _ = try client.ask("reload")
    _ = try holder.lines(500)
    #expect(try client.ask(#"{"op":"subscribe","signal":"g.*","subscription":"1"}"#).contains("(limits.user.memory)"))
    _ = try holder.ask("unsubscribe *.*")
    #expect(try client.ask("subscribe g.*").hasPrefix(#"{"reply":"subscribe""#))
  }

  @Test func `a client can have as many subscriptions as the default settings allow`() throws {
    let signals = (0..<100).map { "s\($0): {input: {}}" }.joined(separator: ", ")
    let client = try HostKind.program.start("g: {signals: {\(signals)}}").connect()
    for label in 0..<ClientLimits().subscriptions / 100 {
      try client.write(
        (0..<100).map { #"{"op":"subscribe","signal":"g.s\#($0)","subscription":"\#(label).\#($0)"}"# + "\n" }.joined())
      for _ in 0..<100 { #expect(try client.line().hasPrefix(#"{"reply":"subscribe""#)) }
    }
    #expect(try client.ask("subscribe g.s0").contains("limits.client.subscriptions"))
  }

  @Test func `the limits that come by themselves have memory for as many subscriptions as they allow`() {
    let limits = GraphModel.Limits()
    let least = Subscription.overhead + Subscription.signalOverhead
    #expect(limits.client.subscriptions * least <= limits.user.memory)
    #expect(limits.user.subscriptions * least <= limits.user.memory)
    #expect(limits.subscriptions * least <= limits.memory)
  }

  @Test(arguments: HostKind.allCases) func `past the memory of all, the client that holds most is disconnected`(
    kind: HostKind
  ) throws {
    let daemon = try kind.start(graphs, server: "{limits: {output: 1MiB, memory: 200KiB}}")
    let (slow, quick, sender) = (try daemon.connect(), try daemon.connect(), try daemon.connect())
    for client in [slow, quick] {
      try client.say("subscribe g.a")
      _ = try client.line()
    }
    for start in stride(from: 1, to: 20_000, by: 500) {
      try sender.send(start..<(start + 500), to: "g.a")
      for number in start..<(start + 500) {
        try quick.expect(#"{"event":"next","signal":"g.a","seq":\#(number),"value":\#(number)}"#)
      }
    }
    while !slow.hasEnded { _ = try? slow.line() }
    try quick.expectNothing()
  }

  @Test(
    arguments: HostKind.allCases,
    [
      ("{limits: {client: {subscriptions: 2}}}", "limits.client.subscriptions"),
      ("{limits: {user: {subscriptions: 2}}}", "limits.user.subscriptions"),
      ("{limits: {subscriptions: 2}}", "limits.subscriptions"),
    ])
  func `a subscription too many is refused, and room is made by ending one`(
    kind: HostKind, limit: (server: String, name: String)
  ) throws {
    let daemon = try kind.start(graphs, server: limit.server)
    let client = try daemon.connect()
    // The total of all clients counts as well, where the limit is not per client.
    let first = limit.name.contains("client") ? client : try daemon.connect()
    _ = try first.ask("subscribe g.a")
    _ = try client.ask(#"{"op":"subscribe","signal":"g.a","subscription":"x"}"#)
    let refusal = try client.ask(#"{"op":"subscribe","signal":"g.a","subscription":"y"}"#)
    #expect(refusal.contains(#""code":"too_many""#) && refusal.contains(limit.name))
    _ = try first.ask("unsubscribe g.a")
    #expect(
      try client.ask(#"{"op":"subscribe","signal":"g.a","subscription":"y"}"#).hasPrefix(#"{"reply":"subscribe""#))
  }

  @Test(arguments: HostKind.allCases, ["client", "user"])
  func `a client that sends more than its rate waits, loses nothing, and delays no other`(kind: HostKind, whose: String)
    throws
  {
    let daemon = try kind.start(graphs, server: "{limits: {\(whose): {sends: 100}}}")
    let (sender, other) = (try daemon.connect(), try daemon.connect())
    _ = try other.ask("subscribe g.a")
    let begin = MonotonicInstant.now()
    try sender.say((1...150).map { "send g.a \($0)" }.joined(separator: "\n"))
    for number in 1...150 { try other.expect(#"{"event":"next","signal":"g.a","seq":\#(number),"value":\#(number)}"#) }
    // A second's amount passes at once, the rest at its rate.
    #expect(MonotonicInstant.now() - begin >= .milliseconds(490))
    try other.expectNothing()
    try sender.expectNothing()
  }

  @Test(arguments: HostKind.allCases) func `a user's rate is not escaped by connecting again`(kind: HostKind) throws {
    let daemon = try kind.start(graphs, server: "{limits: {user: {sends: 100}}}")
    let begin = MonotonicInstant.now()
    for round in 1...3 {
      let sender = try daemon.connect()
      try sender.write((1...50).map { "send g.a \($0)\n" }.joined())
      let answer = try sender.ask(#"{"op":"send","id":1,"signal":"g.a","value":0}"#)
      #expect(answer == #"{"reply":"send","id":1,"signal":"g.a","seq":\#(51 * round)}"#)
      try sender.finish()
      try sender.expectEnd()
    }
    #expect(MonotonicInstant.now() - begin >= .milliseconds(500))
  }

  @Test func `an account without connections is kept until its rate holds nothing against it`() {
    var limits = GraphModel.Limits()
    limits.user.sends = 10
    let ledger = Ledger(limits: limits)
    let now = MonotonicInstant.now()
    let account = ledger.account(ofUser: 1)
    account.opened()
    account.sends.count(20)
    account.left()
    account.closed()
    _ = ledger.account(ofUser: 2, at: now + .milliseconds(1900))
    #expect(ledger.userCount == 2 && ledger.account(ofUser: 1) === account)
    _ = ledger.account(ofUser: 3, at: now + .milliseconds(2100))
    #expect(ledger.userCount == 1 && ledger.account(ofUser: 1) !== account)
  }
}
