import GraphStories
import TestSupport
import Testing

/// Random requests of clients to a graph, and the expected events, independent of the daemon's interruptions.
struct RandomTalk {
  private let seed: Int
  private let lines: [String]
  /// The subscribed signals.
  let heard: [String]

  init(seed: Int) {
    self.seed = seed
    (lines, heard) = Self.signals(seed)
  }

  /// Returns the YAML under `graphs:`.
  func graphs(isDurable: Bool) -> String { Self.graphs(lines, isDurable: isDurable) }

  /// Makes the value that a client sends, given its name.
  static func value(_ random: inout SplitMix, _ name: String) -> String {
    let to = Int.random(in: 0..<4, using: &random)
    return #"{"name": "\#(name)", "to":\#(to), "value":\#(Int.random(in: 0..<1000, using: &random))}"#
  }

  /// Each client receives the events of an uninterrupted run with the same inputs.
  func expectTold(by round: KillRound) throws {
    let entered = round.clients[0].events(of: "g.in")
    let straight = try Self.straight(lines, entered)
    for client in round.clients {
      #expect(client.faults == [])
      Self.expectAnswers(of: client, in: entered)
      for signal in heard {
        #expect(
          client.events(of: signal) == straight[signal] ?? [], "\(signal) of graph \(seed), told to \(client.name)")
      }
    }
  }

  /// A random graph whose inputs all get their values through one, which orders them.
  private static func signals(_ seed: Int) -> (lines: [String], heard: [String]) {
    var random = SplitMix(seed: UInt64(seed))
    let graph = RandomGraph(count: 14, using: &random)
    let routes = (0..<4).map {
      "to\($0): {from: in, pipe: [{filter: .to == \($0)}, {map: .value}, {send_to: s\($0)}]}"
    }
    let outs = graph.signals.indices.map { "out\($0): {from: s\($0), replay: 2000}" }
    let lines = graph.yaml.split(separator: "\n").map(String.init)
    return (
      lines + ["in: {input: {}, replay: 2000}"] + routes + outs, ["g.in"] + outs.indices.map { "g.out\($0)" }
    )
  }

  static func graphs(_ lines: [String], isDurable: Bool) -> String {
    "g:\n\(isDurable ? "  durable: true\n" : "")  signals:\n" + lines.map { "    \($0)\n" }.joined()
  }

  /// Returns the events of an undisturbed run with these inputs.
  private static func straight(_ lines: [String], _ entered: [String]) throws -> [String: [String]] {
    let story = OracleStory(limits: KillRound.limits, signals: lines, steps: [])
    let graph = try OracleGraph(story.configuration, restarts: false)
    for event in entered {
      let value = event.drop { $0 != " " }.dropFirst()
      try graph.carryOut(.send("g.in", String(value)))
    }
    return Dictionary(grouping: graph.events) { String($0.prefix { $0 != "#" && $0 != " " }) }
  }

  /// Each message was executed once, and answered with its sequence number.
  static func expectAnswers(of client: PersistentClient, in entered: [String]) {
    for (number, sequence) in client.answers {
      let made = entered.filter { $0.contains("\"\(client.name)-\(number)\"") }
      #expect(made.count == 1 && made[0].hasPrefix("g.in#\(sequence) "), "message \(client.name)-\(number): \(made)")
    }
  }
}
