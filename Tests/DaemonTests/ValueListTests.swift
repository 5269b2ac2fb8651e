import TestSupport
import Testing

private let graphs = """
  g:
    signals:
      a: {input: {type: number}}
      b: {input: {}}
      slow: {from: a, pipe: [{map: '[range(300)] | sort_by(-.) | length'}]}
      count: {from: a, pipe: [{scan: {initial: 0, next: '$state + 1'}}], replay: 1}
  h:
    signals:
      a: {input: {}}
  """

private let durable = """
  k:
    durable: true
    signals:
      a: {input: {}}
      slow: {from: a, pipe: [{map: '[range(300)] | sort_by(-.) | length'}]}
      count: {from: a, pipe: [{scan: {initial: 0, next: '$state + 1'}}], replay: 1}
  h: {signals: {a: {input: {}}}}
  """

/// Many values in one line, of which each takes its time.
@Suite struct `A list of values` {
  /// So many take several iterations of the loop.
  private static let count = 400

  private func line(to signal: String, id: Int? = nil, _ count: Int = count, message: String? = nil) -> String {
    let values = (1...count).map(String.init).joined(separator: ",")
    let fields = (id.map { #""id":\#($0),"# } ?? "") + (message.map { #""message_id":"\#($0)","# } ?? "")
    return #"{"op":"send",\#(fields)"signal":"\#(signal)","values":[\#(values)]}"#
  }

  @Test(arguments: HostKind.allCases, [("g", graphs), ("k", durable)])
  func `lets others be served before it is over`(kind: HostKind, graph: (name: String, text: String)) throws {
    let daemon = try kind.start(graph.text)
    let (sender, other) = (try daemon.connect(), try daemon.connect())
    try sender.say(line(to: "\(graph.name).a", id: 1), #"{"op":"ping","id":2}"#)
    try daemon.iteration { try other.ask("get \(graph.name).count").contains(#""seq":"#) }
    #expect(try other.ask("ping") == #"{"reply":"ping"}"#)
    let early = try #require(try Self.sequence(in: other.ask("get \(graph.name).count")))
    #expect(early < Self.count)
    #expect(try sender.line().contains(#""id":1,"signal":"\#(graph.name).a","seq":\#(Self.count)"#))
    #expect(try sender.line() == #"{"reply":"ping","id":2}"#)
  }

  private static func sequence(in line: String) -> Int? {
    line.firstMatch(of: /"seq":(\d+)/).flatMap { Int($0.1) }
  }

  @Test(arguments: HostKind.allCases, [("g", graphs), ("k", durable)])
  func `has no value of another client of its graph between, while other graphs take theirs`(
    kind: HostKind, graph: (name: String, text: String)
  ) throws {
    let daemon = try kind.start(graph.text)
    let (sender, rival, listener) = (try daemon.connect(), try daemon.connect(), try daemon.connect())
    let signal = "\(graph.name).a"
    _ = try listener.ask("subscribe \(signal)")
    try sender.say(line(to: signal, id: 1))
    #expect(try listener.line().contains(#""seq":1,"value":1}"#))
    try rival.say(#"{"op":"send","id":1,"signal":"h.a","value":7}"#)
    #expect(try rival.line().contains(#""signal":"h.a","seq":1"#))
    try rival.say(#"{"op":"send","id":2,"signal":"\#(signal)","value":-1}"#)
    for number in 2...Self.count { #expect(try listener.line().contains(#""value":\#(number)}"#)) }
    #expect(try listener.line().contains(#""value":-1}"#))
    #expect(try rival.line().contains(#""id":2,"signal":"\#(signal)","seq":\#(Self.count + 1)"#))
    #expect(try sender.line().contains(#""seq":\#(Self.count)"#))
  }

  @Test(arguments: HostKind.allCases, [("g", graphs), ("k", durable)])
  func `is carried out whole though its client leaves, and so are the lines behind it`(
    kind: HostKind, graph: (name: String, text: String)
  ) throws {
    let daemon = try kind.start(graph.text)
    let listener = try daemon.connect()
    let signal = "\(graph.name).a"
    _ = try listener.ask("subscribe \(signal)")
    do {
      let sender = try daemon.connect()
      try sender.say(line(to: signal), "send \(signal) -1", line(to: signal, id: 2), "send \(signal) -2")
      #expect(try listener.line().contains(#""value":1}"#))
    }
    for number in 2...Self.count { #expect(try listener.line().contains(#""value":\#(number)}"#)) }
    #expect(try listener.line().contains(#""value":-1}"#))
    for number in 1...Self.count { #expect(try listener.line().contains(#""value":\#(number)}"#)) }
    #expect(try listener.line().contains(#""value":-2}"#))
    // The place of the client is free again.
    try listener.wait(forConnections: 1)
  }

  @Test(arguments: HostKind.allCases) func `is answered to a client that has closed its own direction`(
    kind: HostKind
  ) throws {
    let daemon = try kind.start(graphs)
    let sender = try daemon.connect()
    try sender.say(line(to: "g.a", id: 1))
    try sender.finish()
    #expect(try sender.line().contains(#""id":1,"signal":"g.a","seq":\#(Self.count)"#))
    try sender.expectEnd()
  }

  @Test(arguments: HostKind.allCases) func `yields to clients that waited for it before its own client sends another`(
    kind: HostKind
  ) throws {
    let daemon = try kind.start(graphs)
    let (sender, rival, listener) = (try daemon.connect(), try daemon.connect(), try daemon.connect())
    _ = try listener.ask("subscribe g.a")
    try sender.say(line(to: "g.a"), line(to: "g.a"))
    #expect(try listener.line().contains(#""value":1}"#))
    try rival.say("send g.a -1")
    for number in 2...Self.count { #expect(try listener.line().contains(#""value":\#(number)}"#)) }
    #expect(try listener.line().contains(#""value":-1}"#))
    #expect(try listener.line().contains(#""value":1}"#))
  }

  @Test(arguments: HostKind.allCases, ["removed", "another type", "durable"])
  func `finds another signal behind its name after a reload`(kind: HostKind, change: String) throws {
    let state = TemporaryFolder()
    let server = "{state: \(state.path)}"
    let daemon = try kind.start(graphs, server: server)
    let (sender, other) = (try daemon.connect(), try daemon.connect())
    try sender.say(line(to: "g.a", id: 1))
    try daemon.iteration { try other.ask("get g.count").contains(#""seq":"#) }
    let changed =
      switch change {
      case "removed": "g: {signals: {b: {input: {}}}}"
      case "another type": "g: {signals: {a: {input: {type: string}}}}"
      default: "g: {durable: true, signals: {a: {input: {type: number}}}}"
      }
    try daemon.folder.writeConfiguration(changed, server: server)
    #expect(try other.ask("reload").contains(#""reply":"reload""#))
    let answer = try sender.line()
    switch change {
    case "removed": #expect(answer.contains(#""code":"unknown_signal""#) && answer.contains("of 400 values were sent"))
    case "another type": #expect(answer.contains(#""code":"bad_value""#) && answer.contains("of 400 values were sent"))
    default: #expect(answer.contains(#""id":1,"signal":"g.a","seq":\#(Self.count)"#))
    }
    #expect(try sender.ask("ping") == #"{"reply":"ping"}"#)
  }

  @Test(arguments: HostKind.allCases) func `is checked whole before its first value is sent`(kind: HostKind) throws {
    let daemon = try kind.start(graphs)
    let sender = try daemon.connect()
    let values = (1...Self.count).map(String.init).joined(separator: ",")
    let answer = try sender.ask(#"{"op":"send","id":1,"signal":"g.a","values":[\#(values),"x"]}"#)
    #expect(answer.contains(#""code":"bad_value""#) && !answer.contains("were sent"))
    #expect(answer.contains("takes a number, not a string, in value \(Self.count + 1) of \(Self.count + 1)"))
    #expect(try sender.ask(#"{"op":"send","id":2,"signal":"g.a","value":1}"#).contains(#""seq":1"#))
  }

  @Test(arguments: HostKind.allCases) func `is taken once by the name of its message`(kind: HostKind) throws {
    let daemon = try kind.start(durable)
    let sender = try daemon.connect()
    let line = line(to: "k.a", id: 1, message: "m")
    #expect(try sender.ask(line) == #"{"reply":"send","id":1,"signal":"k.a","seq":\#(Self.count)}"#)
    #expect(try sender.ask(line) == #"{"reply":"send","id":1,"signal":"k.a","seq":\#(Self.count),"duplicate":true}"#)
    #expect(try sender.ask("get k.count").contains(#""value":\#(Self.count)"#))
  }

  @Test func `is charged to its user until it is over, though all clients of that user are gone`() throws {
    let daemon = try HostKind.inProcess.start(graphs)
    let count = 2000
    do {
      let (sender, observer) = (try daemon.connect(), try daemon.connect())
      try sender.say(line(to: "g.a", count))
      try daemon.iteration { try observer.ask("get g.count").contains(#""seq":"#) }
    }
    // The daemon takes note of their end.
    for _ in 0..<10 { try daemon.host.iteration() }
    let watcher = try daemon.connect()
    let charged = try MemoryUse(watcher)
    #expect(charged.ofUser == charged.ofAll && charged.ofUser >= count * 64)
    try daemon.iteration { try Self.sequence(in: watcher.ask("get g.count")) == count }
    let released = try MemoryUse(watcher)
    #expect(released.ofUser == released.ofAll && released.ofUser == charged.ofUser - count * 64)
  }

  @Test(arguments: HostKind.allCases) func `is one of a few that the clients of a user have under way`(
    kind: HostKind
  ) throws {
    let signals = (1...6).map {
      "g\($0): {signals: {a: {input: {}}, s: {from: a, pipe: [{map: '[range(300)] | sort_by(-.) | length'}]}}}"
    }
    let daemon = try kind.start(signals.joined(separator: "\n"))
    let clients = try (1...6).map { _ in try daemon.connect() }
    for (number, client) in clients.enumerated() { try client.say(line(to: "g\(number + 1).a", id: 1, 100)) }
    for client in clients { #expect(try client.line().contains(#""seq":100"#)) }
  }
}
