/// The clients' scripts for a graph of their own, and the behaviour of each client.
struct Conversation {
  struct Habits: OptionSet {
    let rawValue: Int
    static let readsLate = Habits(rawValue: 1)
    static let readsSlowly = Habits(rawValue: 2)
    /// It shuts down its writing side after its last request.
    static let leavesWriting = Habits(rawValue: 4)
  }

  struct Part {
    let name: String
    let script: String
    var habits: Habits = []
    /// The end of the last expected line; `nil` if it is unknown, but the number of lines with an `id` is known.
    var last: String?
    var answers = 0
    /// True if each received byte is equal in all runs.
    var isExact = true
  }

  /// The signals and actions of the graph, as YAML.
  let graph: String
  let parts: [Part]

  /// All conversations, each for a graph of its own name.
  static let all: [(name: String, make: @Sendable (String) -> Conversation)] = [
    ("requests", requests), ("pattern", pattern), ("take", take), ("cold", cold), ("lazy", lazy), ("where", condition),
    ("endings", endings), ("delay", delay), ("block", block), ("slow", slow), ("replay", replay), ("calls", calls),
    ("mistakes", mistakes), ("durable", durable), ("gone", gone), ("paced", paced),
  ]

  private static func lines(_ count: Int, _ line: (Int) -> String) -> String {
    (1...count).map { line($0) + "\n" }.joined()
  }

  private static let pong = #"{"reply":"ping"}"#

  @Sendable private static func requests(_ g: String) -> Conversation {
    let script =
      "subscribe \(g).sum\n"
      + lines(80) {
        #"{"op":"send","id":\#($0),"signal":"\#(g).in","value":\#($0)}"# + "\n"
          + ($0 % 3 == 0 ? "get \(g).sum\n" : "send \(g).in \($0)\n") + "# a comment\r\n"
      } + "ping\n"
    return Conversation(
      graph: "signals: {in: {input: {}}, sum: {from: in, pipe: [{scan: {initial: 0, next: $state + .}}]}}",
      parts: [Part(name: "client", script: script, last: pong)])
  }

  @Sendable private static func pattern(_ g: String) -> Conversation {
    let script =
      #"{"op":"subscribe","signal":"\#(g).*","subscription":"p"}"# + "\n"
      + #"{"op":"subscribe","signal":"\#(g).b","subscription":"q"}"# + "\nsubscribe \(g).c\n"
      + lines(60) { "send \(g).\($0 % 2 == 0 ? "a" : "b") {\"n\": \($0)}" } + "ping\n"
    return Conversation(
      graph: "signals: {a: {input: {}}, b: {input: {}}, c: {merge: [a, b], pipe: [enumerate]}}",
      parts: [Part(name: "client", script: script, last: pong)])
  }

  @Sendable private static func take(_ g: String) -> Conversation {
    let script = lines(12) { round in
      #"{"op":"subscribe","signal":"\#(g).in","subscription":"s\#(round)","take":\#(round)}"# + "\n"
        + lines(round + 2) { "send \(g).in \($0)" }
    }
    return Conversation(
      graph: "signals: {in: {input: {}, replay: 2}}",
      parts: [Part(name: "client", script: script + "ping\n", last: pong)])
  }

  @Sendable private static func cold(_ g: String) -> Conversation {
    let script = lines(10) { round in
      #"{"op":"subscribe","signal":"\#(g).run","subscription":"s\#(round)"}"# + "\n" + lines(5) { "send \(g).in \($0)" }
        + (round % 3 == 0 ? #"{"op":"unsubscribe","subscription":"s\#(round - 1)"}"# + "\n" : "")
    }
    return Conversation(
      graph: "signals: {in: {input: {}}, run: {from: in, cold: true, pipe: [{scan: {initial: 0, next: $state + .}}]}}",
      parts: [Part(name: "client", script: script + "ping\n", last: pong)])
  }

  @Sendable private static func lazy(_ g: String) -> Conversation {
    let script = lines(8) { _ in
      "subscribe \(g).out\n" + lines(6) { "send \(g).in \($0)" } + "unsubscribe \(g).out\nsend \(g).in 7\n"
    }
    return Conversation(
      graph: """
        signals: {in: {input: {}}, sums: {from: in, lazy: true, pipe: [{scan: {initial: 0, next: $state + .}}]},
          out: {from: sums, lazy: true, pipe: [{buffer: {count: 2}}]}}
        """,
      parts: [
        Part(name: "client", script: script + "ping\n", last: pong)
      ])
  }

  @Sendable private static func condition(_ g: String) -> Conversation {
    let script =
      #"{"op":"subscribe","signal":"\#(g).in","where":". % 3 == 0","heartbeat":"1h"}"# + "\n"
      + #"{"op":"subscribe","signal":"\#(g).in","subscription":"b","where":". > 40","take":10}"# + "\n"
      + lines(70) { "send \(g).in \($0)" } + "ping\n"
    return Conversation(
      graph: "signals: {in: {input: {}}}", parts: [Part(name: "client", script: script, last: pong)])
  }

  /// No interval ends before the conversation: waiting values precede an ending.
  @Sendable private static func paced(_ g: String) -> Conversation {
    let script = lines(10) { round in
      ["in", "held", "recent"].map {
        #"{"op":"subscribe","signal":"\#(g).\#($0)","every":"1h"}"# + "\n"
      }.joined() + lines(round) { "send \(g).in \($0)" }
        + #"{"op":"send","signal":"\#(g).in","event":"completed"}"# + "\n"
        + #"{"op":"restart","signal":"\#(g).in"}"# + "\n"
    }
    return Conversation(
      graph: "signals: {in: {input: {endable: true}}, held: {from: in, hold: true}, recent: {from: in, replay: 2}}",
      parts: [Part(name: "client", script: script + "ping\n", last: pong)])
  }

  @Sendable private static func endings(_ g: String) -> Conversation {
    let script = lines(10) { round in
      "subscribe \(g).out\n" + lines(3) { "send \(g).in \($0)" }
        + #"{"op":"send","signal":"\#(g).in","event":"\#(round % 2 == 0 ? "completed" : "interrupted")"}"# + "\n"
        + "get \(g).out\n" + #"{"op":"restart","signal":"\#(g).in"}"# + "\n"
    }
    return Conversation(
      graph: "signals: {in: {input: {endable: true}}, out: {from: in, pipe: [pairwise]}}",
      parts: [Part(name: "client", script: script + "ping\n", last: pong)])
  }

  @Sendable private static func delay(_ g: String) -> Conversation {
    Conversation(
      graph:
        "signals: {in: {input: {}}, late: {from: in, pipe: [{delay: 4ms}, {scan: {initial: 0, next: $state + .}}]}}",
      parts: [
        Part(name: "listener", script: "subscribe \(g).late\n", last: #""value":3240}"#),
        Part(name: "sender", script: lines(80) { "send \(g).in \($0)" } + "ping\n", last: pong),
      ])
  }

  private static let long = String(repeating: "x", count: 900)

  @Sendable private static func block(_ g: String) -> Conversation {
    Conversation(
      graph: "signals: {in: {input: {}, backpressure: true}, out: {from: in, backpressure: true}}",
      parts: [
        Part(
          name: "listener", script: #"{"op":"subscribe","signal":"\#(g).out","overflow":"block"}"# + "\n",
          habits: .readsSlowly, last: #""seq":700,"value":[700,"\#(long)"]}"#),
        Part(
          name: "sender",
          script: lines(700) { #"{"op":"send","id":\#($0),"signal":"\#(g).in","value":[\#($0),"\#(long)"]}"# },
          last: #""id":700,"signal":"\#(g).in","seq":700}"#),
      ])
  }

  @Sendable private static func slow(_ g: String) -> Conversation {
    Conversation(
      graph: "signals: {in: {input: {}}}",
      parts: [
        Part(
          name: "listener", script: "subscribe \(g).in\n", habits: .readsLate, last: #""value":[700,"\#(long)"]}"#,
          isExact: false),
        Part(name: "sender", script: lines(700) { #"send \#(g).in [\#($0),"\#(long)"]"# } + "ping\n", last: pong),
      ])
  }

  @Sendable private static func replay(_ g: String) -> Conversation {
    let script =
      lines(300) { #"send \#(g).in [\#($0),"\#(long)"]"# }
      + lines(3) { #"{"op":"subscribe","signal":"\#(g).in","subscription":"s\#($0)"}"# } + "get \(g).in\nping\n"
    return Conversation(
      graph: "signals: {in: {input: {}, replay: 250}}",
      parts: [Part(name: "client", script: script, habits: .readsSlowly, last: pong)])
  }

  @Sendable private static func calls(_ g: String) -> Conversation {
    let script = lines(30) { #"{"op":"call","id":\#($0),"action":"\#(g).say","value":\#($0)}"# + "\nping" }
    return Conversation(
      graph: "actions: {say: {exec: [cat], format: json}}\nsignals: {a: {input: {}}}",
      parts: [Part(name: "client", script: script, answers: 30, isExact: false)])
  }

  @Sendable private static func mistakes(_ g: String) -> Conversation {
    let script = lines(20) {
      "{\"op\":\"send\",\"id\":\($0),\nnonsense\nget \(g).nothing\n" + String(repeating: "y", count: 10_000) + "\n"
        + #"{"op":"subscribe","signal":"\#(g).in","take":0}"# + "\nsend \(g).in {\nget \(g).in"
    }
    return Conversation(
      graph: "signals: {in: {input: {}}}", parts: [Part(name: "client", script: script + "ping\n", last: pong)])
  }

  @Sendable private static func durable(_ g: String) -> Conversation {
    let script =
      "subscribe \(g).sum\n"
      + lines(60) {
        #"{"op":"send","id":\#($0),"message_id":"m\#($0 - $0 / 7)","signal":"\#(g).in","value":\#($0)}"#
      } + "ping\n"
    return Conversation(
      graph: """
        durable: true
        signals: {in: {input: {}}, sum: {from: in, pipe: [{scan: {initial: 0, next: $state + .}}]}}
        """,
      parts: [Part(name: "client", script: script, last: pong)])
  }

  /// A client that has sent everything and waits for the rest of its events.
  @Sendable private static func gone(_ g: String) -> Conversation {
    let script = #"{"op":"subscribe","signal":"\#(g).in","take":40}"# + "\n" + lines(39) { "send \(g).in \($0)" }
    return Conversation(
      graph: "signals: {in: {input: {}}}",
      parts: [
        Part(
          name: "client", script: script + "ping\nsend \(g).in 40\nget \(g).in", habits: .leavesWriting,
          last: #"holds no value"}}"#)
      ])
  }
}
