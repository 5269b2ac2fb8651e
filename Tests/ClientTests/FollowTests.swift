import Foundation
import Synchronization
import TestSupport
import Testing

/// `subscribe --follow` across lost connections and restarted daemons.
struct FollowTests {
  /// Runs a client against a daemon with a different script for each connection.
  static func talk(
    _ arguments: String..., connections: [@Sendable (_ line: String, _ id: String) -> [String]?]
  ) throws -> (result: Client.Result, lines: [String]) {
    let count = Atomic(-1)
    let daemon = try FakeDaemon { line in
      if line.contains("hello") { count.add(1, ordering: .relaxed) }
      let id = line.split(separator: "\"id\":").last.map { String($0.prefix { $0.isNumber }) } ?? ""
      let script = connections[min(count.load(ordering: .relaxed), connections.count - 1)]
      return script(line, id)
    }
    defer { daemon.stop() }
    return (try Client.run(["subscribe", "--follow"] + arguments, socket: daemon.path), daemon.lines)
  }

  static func hello(_ epoch: String, _ id: String) -> [String] {
    [#"{"reply":"hello","id":\#(id),"epoch":"\#(epoch)"}"#]
  }

  static func subscribed(_ id: String, _ signals: [String: Int], epoch: String) -> [String] {
    subscribed(id, signals).map { $0.dropLast() + #","epoch":"\#(epoch)"}"# }
  }

  static func subscribed(_ id: String, _ signals: [String: Int], _ events: String...) -> [String] {
    let list = signals.sorted { $0.key < $1.key }.map { #"{"signal":"\#($0)","seq":\#($1)}"# }
    return [#"{"reply":"subscribe","id":\#(id),"signals":[\#(list.joined(separator: ","))]}"#] + events
  }

  static func next(_ signal: String, _ seq: Int) -> String {
    #"{"event":"next","signal":"\#(signal)","seq":\#(seq),"value":\#(seq * 10)}"#
  }

  private static func completed(_ signal: String) -> String { #"{"event":"completed","signal":"\#(signal)"}"# }
  static func interrupted(_ signal: String) -> String {
    #"{"event":"interrupted","signal":"\#(signal)","reason":"restarted"}"#
  }

  static func pong(_ id: String) -> [String] { [#"{"reply":"ping","id":\#(id)}"#] }

  static let again = "signalbox: the daemon closed the connection; retrying\n"

  @Test func `it resumes after the last value, and reports what is lost`() throws {
    let (result, lines) = try Self.talk(
      "--replay", "1", "--take", "4", "a.b",
      connections: [
        { line, id in
          if line.contains("hello") { return Self.hello("e", id) }
          return line.contains("ping") ? nil : Self.subscribed(id, ["a.b": 6], Self.next("a.b", 6), Self.next("a.b", 7))
        },
        { line, id in
          if line.contains("hello") { return Self.hello("e", id) }
          if line.contains("ping") { return Self.pong(id) }
          if line.contains("from") {
            return [
              #"{"reply":"error","id":\#(id),"op":"x","error":{"code":"expired","message":"gone","oldest":12}}"#
            ]
          }
          return Self.subscribed(id, ["a.b": 12], Self.next("a.b", 12), Self.next("a.b", 13), Self.next("a.b", 14))
        },
      ])
    #expect(result.status == 0)
    #expect(result.output == "60\n70\n120\n130\n")
    #expect(
      result.errors == Self.again
        + "signalbox: connected\nsignalbox: a.b: values 8 to 11 are lost\n")
    #expect(
      lines.filter { $0.contains("subscribe") } == [
        #"{"op":"subscribe","id":2,"signal":"a.b","replay":1}"#,
        #"{"op":"subscribe","id":2,"signal":"a.b","from":7,"epoch":"e"}"#,
        #"{"op":"subscribe","id":4,"signal":"a.b"}"#,
      ])
  }

  @Test func `the replay is requested again if the first connection is lost before the reply`() throws {
    let (result, lines) = try Self.talk(
      "--replay", "5", "--take", "1", "a.b",
      connections: [
        { line, id in line.contains("hello") ? Self.hello("e", id) : nil },
        { line, id in
          if line.contains("hello") { return Self.hello("e", id) }
          if line.contains("ping") { return Self.pong(id) }
          return Self.subscribed(id, ["a.b": 9], Self.next("a.b", 5))
        },
      ])
    #expect(result.output == "50\n" && result.status == 0)
    let subscription = #"{"op":"subscribe","id":2,"signal":"a.b","replay":5}"#
    #expect(lines.filter { $0.contains("\"subscribe\"") } == [subscription, subscription])
  }

  @Test func `of a pattern it reports the signal whose numbers restarted, and prints its values again`() throws {
    let (result, _) = try Self.talk(
      "--take", "3", "a.*",
      connections: [
        { line, id in
          if line.contains("hello") { return Self.hello("e", id) }
          return line.contains("ping") ? nil : Self.subscribed(id, ["a.b": 6], epoch: "kept") + [Self.next("a.b", 7)]
        },
        { line, id in
          if line.contains("hello") { return Self.hello("e", id) }
          if line.contains("ping") { return Self.pong(id) }
          return Self.subscribed(id, ["a.b": 2], epoch: "new") + [Self.next("a.b", 1), Self.next("a.b", 2)]
        },
      ])
    #expect(result.output == "a.b\t70\na.b\t10\na.b\t20\n")
    #expect(
      result.errors == Self.again + "signalbox: connected\n"
        + "signalbox: a.b: sequence numbers restarted; values in between may be missing\n")
  }

  @Test func `of a pattern it prints nothing twice, and finds what is missing by the numbers`() throws {
    let (result, lines) = try Self.talk(
      "a.*",
      connections: [
        { line, id in
          if line.contains("hello") { return Self.hello("e", id) }
          if line.contains("ping") { return nil }
          return Self.subscribed(
            id, ["a.b": 2, "a.c": 0, "a.d": 1], Self.next("a.d", 1), Self.next("a.b", 1), Self.next("a.b", 2),
            Self.completed("a.d"))
        },
        { line, id in
          if line.contains("hello") { return Self.hello("e", id) }
          if line.contains("ping") {
            return Self.pong(id) + [#"{"reply":"error","id":99,"error":{"code":"internal","message":"over"}}"#]
          }
          return Self.subscribed(
            id, ["a.b": 5, "a.c": 3, "a.d": 1], Self.next("a.d", 1), Self.completed("a.d"), Self.next("a.b", 2),
            Self.next("a.b", 4), Self.next("a.b", 5))
        },
      ])
    #expect(result.output == "a.d\t10\na.b\t10\na.b\t20\na.b\t40\na.b\t50\n")
    #expect(
      result.errors == "signalbox: a.d completed\n" + Self.again
        + """
        signalbox: connected
        signalbox: a.b: value 3 is lost
        signalbox: a.c: values 1 to 3 are lost
        signalbox: over

        """)
    let subscriptions = lines.filter { $0.contains("subscribe") }
    #expect(subscriptions.count == 2 && subscriptions.allSatisfy { !$0.contains("from") })
  }

  @Test(arguments: [
    (lost: nil, said: ""),
    (
      lost: #"{"event":"lagged","signal":"a.b","dropped":2}"#,
      said: "signalbox: a.*: values may be missing here (unknown with --where or --every)\n"
    ),
  ])
  func `with a pattern and --where it resumes after the last values, and warns only where some are gone`(
    lost: String?, said: String
  ) throws {
    let (result, lines) = try Self.talk(
      "a.*", "--where", ". > 0",
      connections: [
        { line, id in
          if line.contains("hello") { return Self.hello("e", id) }
          if line.contains("ping") { return nil }
          return Self.subscribed(id, ["a.b": 2, "a.c": 0], Self.next("a.b", 2), Self.next("a.b", 3))
        },
        { line, id in
          if line.contains("hello") { return Self.hello("e", id) }
          if line.contains("ping") {
            return Self.pong(id) + [#"{"reply":"error","id":99,"error":{"code":"internal","message":"over"}}"#]
          }
          let reply = Self.subscribed(id, ["a.b": 7, "a.c": 1])
          return reply + (lost.map { [$0] } ?? []) + [Self.next("a.b", 7), Self.next("a.c", 1)]
        },
      ])
    #expect(result.output == "a.b\t20\na.b\t30\na.b\t70\na.c\t10\n")
    #expect(result.errors == Self.again + "signalbox: connected\n" + said + "signalbox: over\n")
    #expect(
      lines.last { $0.contains("subscribe") }
        == #"{"op":"subscribe","id":2,"signal":"a.*","from":{"a.b":{"seq":3,"epoch":"e"},"a.c":{"seq":0,"epoch":"e"}},"#
        + #""where":". > 0"}"#)
  }

  static let reopened =
    "signalbox: reconnected; the daemon was restarted\n"

  @Test func `a durable signal resumes after a restart of the daemon, in the epoch of the subscribe reply`() throws {
    let (result, lines) = try Self.talk(
      "--take", "3", "a.b",
      connections: [
        { line, id in
          if line.contains("hello") { return Self.hello("e", id) }
          return line.contains("ping") ? nil : Self.subscribed(id, ["a.b": 6], epoch: "kept") + [Self.next("a.b", 7)]
        },
        { line, id in
          if line.contains("hello") { return Self.hello("f", id) }
          if line.contains("ping") { return Self.pong(id) }
          return Self.subscribed(id, ["a.b": 8], epoch: "kept") + [Self.next("a.b", 8), Self.next("a.b", 9)]
        },
      ])
    #expect(result.output == "70\n80\n90\n")
    #expect(result.errors == Self.again + Self.reopened)
    #expect(
      lines.last { $0.contains("subscribe") } == #"{"op":"subscribe","id":2,"signal":"a.b","from":7,"epoch":"kept"}"#)
  }

  @Test func `it restarts where the state was reset meanwhile, and reports that`() throws {
    let (result, lines) = try Self.talk(
      "--take", "2", "a.b",
      connections: [
        { line, id in
          if line.contains("hello") { return Self.hello("e", id) }
          return line.contains("ping") ? nil : Self.subscribed(id, ["a.b": 6], epoch: "kept") + [Self.next("a.b", 7)]
        },
        { line, id in
          if line.contains("hello") { return Self.hello("f", id) }
          if line.contains("ping") { return Self.pong(id) }
          if line.contains("from") {
            let error = #"{"code":"expired","message":"anew","oldest":1,"epoch":"new"}"#
            return [#"{"reply":"error","id":\#(id),"op":"subscribe","error":\#(error)}"#]
          }
          return Self.subscribed(id, ["a.b": 1], epoch: "new") + [Self.next("a.b", 1)]
        },
      ])
    #expect(result.output == "70\n10\n")
    #expect(
      result.errors == Self.again + Self.reopened
        + "signalbox: a.b: sequence numbers restarted; values in between may be missing\n")
    #expect(lines.last { $0.contains("subscribe") } == #"{"op":"subscribe","id":4,"signal":"a.b"}"#)
  }

  @Test func `after a restart of the daemon the durable signals of a pattern resume, and the others restart`() throws {
    @Sendable func pattern(_ id: String, _ kept: Int, _ other: Int) -> String {
      #"{"reply":"subscribe","id":\#(id),"signals":[{"signal":"a.b","seq":\#(kept),"epoch":"kept"},"#
        + #"{"signal":"a.c","seq":\#(other)}]}"#
    }
    let (result, lines) = try Self.talk(
      "a.*", "--where", ". > 0",
      connections: [
        { line, id in
          if line.contains("hello") { return Self.hello("e", id) }
          return line.contains("ping") ? nil : [pattern(id, 2, 5), Self.next("a.b", 2), Self.next("a.c", 5)]
        },
        { line, id in
          if line.contains("hello") { return Self.hello("f", id) }
          if line.contains("ping") {
            return Self.pong(id) + [#"{"reply":"error","id":99,"error":{"code":"internal","message":"over"}}"#]
          }
          return [pattern(id, 3, 1), Self.next("a.b", 3), Self.next("a.c", 1)]
        },
      ])
    #expect(result.output == "a.b\t20\na.c\t50\na.b\t30\na.c\t10\n")
    #expect(result.errors.contains("the daemon was restarted; values in between may be missing\n"))
    #expect(
      lines.last { $0.contains("subscribe") }
        == #"{"op":"subscribe","id":2,"signal":"a.*","from":{"a.b":{"seq":2,"epoch":"kept"}},"where":". > 0"}"#)
  }

  @Test func `with --json the daemon's restart and its values' end stand among its lines`() throws {
    let result = try Self.talk(
      "--json", "a.b", "*.c",
      connections: [
        { line, id in
          if line.contains("hello") { return Self.hello("e", id) }
          if line.contains("ping") { return [#"{"event":"interrupted","reason":"slow"}"#] }
          let label = line.contains("a.b") ? "a.b" : "*.c"
          return Self.subscribed(id, [:])
            + (label == "*.c" ? [#"{"event":"next","subscription":"*.c","signal":"a.c","seq":9,"value":1}"#] : [])
        },
        { line, id in
          if line.contains("hello") { return Self.hello("f", id) }
          if line.contains("ping") { return Self.pong(id) }
          if line.contains("a.b") {
            return [#"{"reply":"error","id":\#(id),"op":"x","error":{"code":"unknown_signal","message":"no a.b"}}"#]
          }
          return Self.subscribed(
            id, ["a.c": 0], #"{"event":"next","subscription":"*.c","signal":"a.c","seq":1,"value":2}"#,
            #"{"event":"ended","subscription":"*.c","signal":"*.c","reason":"take"}"#)
        },
      ]
    ).result
    #expect(result.status == 68)
    #expect(
      result.output == """
        {"event":"connected","epoch":"e","restarted":false}
        {"reply":"subscribe","id":2,"signals":[]}
        {"reply":"subscribe","id":3,"signals":[]}
        {"event":"next","subscription":"*.c","signal":"a.c","seq":9,"value":1}
        {"event":"interrupted","reason":"slow"}
        {"event":"disconnected","reason":"connection interrupted: slow"}
        {"event":"connected","epoch":"f","restarted":true}
        {"reply":"error","id":2,"op":"x","error":{"code":"unknown_signal","message":"no a.b"}}
        {"reply":"subscribe","id":3,"signals":[{"signal":"a.c","seq":0}]}
        {"event":"next","subscription":"*.c","signal":"a.c","seq":1,"value":2}
        {"event":"ended","subscription":"*.c","signal":"*.c","reason":"take"}

        """)
    #expect(result.errors.contains("reconnected; the daemon was restarted"))
    #expect(result.errors.hasSuffix("signalbox: no a.b\n"))
  }

  @Test func `a signal that ends with the last value that was wanted leaves the others alone`() throws {
    let result = try Self.talk(
      "--take", "1", "a.b", "a.c",
      connections: [
        { line, id in
          if line.contains("hello") { return Self.hello("e", id) }
          if line.contains("ping") { return Self.pong(id) }
          if line.contains("unsubscribe") {
            return [
              #"{"reply":"error","id":\#(id),"op":"unsubscribe","error":{"code":"not_subscribed","message":"gone"}}"#,
              #"{"event":"next","subscription":"a.c","signal":"a.c","seq":1,"value":2}"#,
            ]
          }
          if line.contains("a.c") { return Self.subscribed(id, ["a.c": 0]) }
          return Self.subscribed(
            id, ["a.b": 0], #"{"event":"next","subscription":"a.b","signal":"a.b","seq":1,"value":1}"#,
            #"{"event":"completed","subscription":"a.b","signal":"a.b"}"#)
        }
      ]
    ).result
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.output == "a.b\t1\na.c\t2\n")
  }

  @Test func `what is refused at first is an error at once`() throws {
    let result = try Self.talk(
      "a.b",
      connections: [
        { line, id in
          line.contains("hello")
            ? Self.hello("e", id)
            : [#"{"reply":"error","id":\#(id),"op":"x","error":{"code":"unknown_signal","message":"no a.b"}}"#]
        }
      ]
    ).result
    #expect(result.status == 68 && result.errors == "signalbox: no a.b\n")
    let tooLong = try Client.run(
      "subscribe", "--follow", "--socket", "/" + String(repeating: "x", count: 200), "a.b")
    #expect(tooLong.status == 64)
  }

  @Test func `pauses grow while no connection is of use`() throws {
    let start = ContinuousClock.now
    let (result, lines) = try Self.talk(
      "a.b",
      connections: [{ _, _ in nil }, { _, _ in nil }, { _, _ in nil }]
        + [
          { line, id in
            line.contains("hello") ? Self.hello("e", id) : Self.subscribed(id, ["a.b": 0], Self.completed("a.b"))
          }
        ])
    #expect(result.status == 0)
    #expect(lines.count { $0.contains("hello") } == 4)
    // At least half of 100, 200 and 400 ms.
    #expect(ContinuousClock.now - start >= .milliseconds(350))
    #expect(result.errors.components(separatedBy: "retrying").count == 2)
  }

  @Test func `it waits for a daemon, and follows the next one after that was killed`() throws {
    let graph = "signalbox: 1\ngraphs: {g: {signals: {a: {input: {}, hold: true}, b: {input: {}, hold: true}}}}\n"
    let daemon = try RunningDaemon(graph)
    defer { daemon.stop() }
    daemon.kill()
    let follower = try RunningClient("subscribe", "--follow", "g.*", "--where", ". > 0", socket: daemon.socket)
    defer { follower.stop() }
    try follower.waitForError("retrying")
    try daemon.start()
    try follower.waitForError("signalbox: connected\n")
    #expect(try Client.run("send", "g.a", "0", "1", socket: daemon.socket).status == 0)
    try follower.waitForOutput("g.a\t1\n")
    daemon.kill()
    try follower.waitForError("closed the connection")
    try daemon.start()
    #expect(try Client.run("send", "g.b", "2", socket: daemon.socket).status == 0)
    try follower.waitForError("the daemon was restarted")
    try follower.waitForOutput("g.b\t2\n")
  }
}
