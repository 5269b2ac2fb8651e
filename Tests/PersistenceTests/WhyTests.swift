import GraphEngine
import GraphModel
import GraphTools
import JSON
import StateLog
import TestSupport
import Testing

@testable import Persistence

/// Past values of durable graphs, and their explanations.
struct WhyTests {
  private static let graphs = """
    room:
      durable: {history: {for: 7d}}
      signals:
        raw: {input: {endable: true}}
        limit: {property: {initial: 25}}
        hot: {combine: {t: raw, limit: limit, season: house.season}, pipe: [{map: .t > .limit}, skip_repeats]}
        late: {from: hot, pipe: [{debounce: 2s}]}
        seen: {file: {path: /seen}}
        quick: {from: raw, pipe: [{map: . * 3}]}
        quiet: {from: raw, pipe: [{map: . * 2}], lazy: true}
    house:
      signals:
        season: {property: {initial: summer}}
    """

  private let host: DurableHost

  init() throws {
    host = try DurableHost(Self.graphs)
    host.advance(by: .seconds(1))
    for value in [20.0, 30, 10] {
      host.send(.number(value), to: "room.raw")
      host.advance(by: .seconds(1))
    }
  }

  // MARK: Values

  @Test(arguments: [
    (LookingBack.Target.number(2), "30 as 2 at 2s"), (.latest, "10 as 3 at 3s"),
    (.moment(Self.moment(2.5)), "30 as 2 at 2s"),
    (.moment(Self.moment(0.5)), "room.raw had emitted no value at that time"),
    (.moment(Self.moment(-1)), "the history begins at 2023-11-14T22:13:20.000000Z"),
    (.number(4), "room.raw has emitted no value 4"),
  ])
  func `a value of the past is found by its number and by a time`(target: LookingBack.Target, answer: String) throws {
    #expect(try value("room.raw", target) == answer)
  }

  @Test func `values of before a kill are found, and those of before a reload`() throws {
    try host.kill(passing: .seconds(60))
    host.send(40, to: "room.raw")
    try host.reload(Self.graphs.replacing(".t > .limit", with: ".t < .limit"))
    host.send(50, to: "room.raw")
    #expect(
      try (1...5).map { try value("room.raw", .number($0)) }.map { $0.prefix(2) } == ["20", "30", "10", "40", "50"])
    #expect(try why("room.hot", .number(2)).hasPrefix("room.hot 2: true at 2s"))
  }

  @Test func `without history the past ends at the newest snapshot`() throws {
    let host = try DurableHost("room: {durable: true, signals: {raw: {input: {}}}}")
    host.send(1, to: "room.raw")
    host.settle()
    try host.kill()
    host.send(2, to: "room.raw")
    host.settle()
    try host.waitUntilOneSnapshotIsLeft()
    #expect(try Self.value(host, "room.raw", .number(2)).hasPrefix("2 as 2"))
    #expect(try Self.value(host, "room.raw", .number(1)).hasPrefix("the history begins at"))
  }

  @Test func `only the signals that the signal is connected to are replayed`() throws {
    let host = try DurableHost(
      """
      g:
        durable: {history: {for: 7d}}
        signals:
          other: {input: {}}
          a: {input: {}}
          sum: {from: a, pipe: [{scan: {initial: 0, next: $state + .}}]}
          late: {from: sum, pipe: [{delay: 1s}], lazy: true}
          both: {combine: [late, b]}
          b: {input: {}}
          last: {from: other}
      """)
    for value in [1.0, 2, 3] {
      for name in ["g.other", "g.a", "g.b"] { host.send(.number(value), to: name) }
      host.advance(by: .seconds(2))
    }
    let copy = try host.copyOfState()
    defer { withExtendedLifetime(copy) {} }
    let past = try LookingBack(at: "g.late", in: try FolderReader(copy.path))
    let span = try past.span(behind: 0) { _ in { false } }
    #expect(span.names.prefix { $0.hasPrefix("g.") } == ["g.a", "g.sum", "g.late", "g.both", "g.b"])
    #expect(try past.value(.latest).payload.value == 6)
    #expect(try past.explanation(.number(2), depth: 1, verifies: true).isVerified == true)
  }

  @Test func `what was remembered is traced across snapshots`() throws {
    let host = try DurableHost(
      """
      g:
        durable: {history: {for: 7d}}
        signals:
          other: {input: {}}
          limit: {property: {initial: 25}}
          raw: {input: {}}
          hot: {from: raw, pipe: [{with_latest: limit}, {map: '.[0] > .[1]'}]}
      """)
    host.send(20, to: "g.limit")
    let large = JSONValue.string(String(repeating: "x", count: 200_000))
    for _ in 1...20 {
      host.send(large, to: "g.other")
      host.advance(by: .seconds(1))
    }
    host.send(30, to: "g.raw")
    host.settle()
    let copy = try host.copyOfState()
    defer { withExtendedLifetime(copy) {} }
    let past = try LookingBack(at: "g.hot", in: try FolderReader(copy.path))
    #expect(past.marks.count > 4)
    let why = try past.explanation(.latest, depth: 1, verifies: true)
    #expect(why.isVerified == true && why.origins.values.contains { $0.signal == "g.limit" }, "\(why.text)")
  }

  @Test func `a cold signal has no past`() throws {
    let host = try DurableHost(
      "room: {durable: true, signals: {raw: {input: {}}, run: {from: raw, cold: true}, heard: {from: run}}}")
    host.send(1, to: "room.raw")
    host.settle()
    let answer = try Self.value(host, "room.run", .latest)
    #expect(answer == "room.run is cold: its runs, one per subscriber, are not recorded")
  }

  @Test func `a missing signal is reported with those that exist`() throws {
    #expect(try value("room.ray", .latest).hasPrefix("unknown among room.raw"))
  }

  @Test func `a value of the start, and one of a reload, are known as such`() throws {
    #expect(
      try why("room.limit", .number(1), verified: nil)
        == "room.limit 1: 25 at 0s\n← start or reload of the graphs at 0s")
    try host.reload(Self.graphs.replacing("initial: 25", with: "initial: 27"))
    #expect(
      try why("room.limit", .latest, verified: nil)
        == "room.limit 2: 27 at 4s\n← start or reload of the graphs at 4s")
    #expect(try value("room.limit", .number(2)) == "27 as 2 at 4s")
  }

  @Test func `values are found of a signal that is gone, and of one that came back`() throws {
    let reduced = Self.graphs.split(separator: "\n").filter { !$0.contains(" late:") }.joined(separator: "\n")
    host.advance(by: .seconds(2))
    host.advance(by: .seconds(1))
    try host.reload(reduced)
    #expect(try value("room.late", .number(1)).hasPrefix("false as 1"))
    #expect(try value("room.late", .moment(Self.moment(6.5))).hasPrefix("false as 1"))
    let gone = "no signal room.late in the durable graphs any more, but it existed at"
    #expect(try value("room.late", .latest).hasPrefix(gone))
    try host.reload(Self.graphs)
    host.send(40, to: "room.raw")
    host.advance(by: .seconds(2))
    #expect(try (1...2).map { try value("room.late", .number($0)).prefix(8) } == ["false as", "true as "])
    #expect(try why("room.late", .number(1)).hasPrefix("room.late 1: false at"))
  }

  @Test func `values of before and after a time in which a graph was not durable are found`() throws {
    // The past is stored as long as one of the graphs requires it.
    let other = "\nother: {durable: {history: {for: 7d}}, signals: {raw: {input: {}}}}"
    try host.reload(Self.graphs.replacing("durable: {history: {for: 7d}}", with: "durable: false") + other)
    host.send(40, to: "room.raw")
    try host.reload(Self.graphs + other)
    host.send(50, to: "room.raw")
    host.settle()
    let early = try (1...3).map { try value("room.raw", .number($0)) }
    #expect(early == ["20 as 1 at 1s", "30 as 2 at 2s", "10 as 3 at 3s"])
    #expect(try value("room.raw", .number(4)).contains("while the graph was not durable"))
    #expect(try value("room.raw", .number(5)).hasPrefix("50 as 5"))
  }

  @Test func `a signal of a graph that is not durable is none of those`() throws {
    #expect(try value("house.season", .latest).hasPrefix("unknown among room.raw"))
  }

  // MARK: Why

  @Test func `a value is explained from what other graphs emitted, and from what was set before`() throws {
    try host.kill(passing: .seconds(60))
    host.send(40, to: "room.raw")
    host.settle()
    let lines = try why("room.hot", .latest).split(separator: "\n").map(String.init)
    #expect(
      lines == [
        "room.hot 4: true at 1m4s", "← skip_repeats: true", "  · remembered false", "← map: true",
        "← combine: {\"t\":40,\"limit\":25,\"season\":\"summer\"}",
        // A graph that is not durable has begun anew after the kill.
        "  · remembered \"summer\", house.season 1 at 1m4s", "  · remembered 25, room.limit 1 at 0s",
        "  · remembered 10",
        "← room.raw 4: 40 at 1m4s", "← sent to room.raw at 1m4s",
      ])
  }

  @Test func `what a file brought is explained as such, and the need of a lazy signal for a subscriber`() throws {
    host.world.change("/seen", to: "7")
    host.settle()
    #expect(try why("room.seen", .latest).hasSuffix("← change of a file at 4s"))
    let quiet = try #require(host.main.signal(named: "room.quiet"))
    host.main.attach(to: quiet)
    host.send(3, to: "room.raw")
    host.settle()
    let past = try explanation("room.quiet", .latest)
    #expect(past.isVerified == true)
    let kinds = past.explanation.needed.compactMap { past.origins[$0]?.kind }
    #expect(kinds == [.listening, .sent])
  }

  @Test func `an end comes about like a value, and what comes after a restart is explained again`() throws {
    host.end("room.raw", with: .completed)
    host.settle()
    let lines = try why("room.quick", .latest).split(separator: "\n")
    #expect(lines.prefix(2) == ["room.quick: completed at 4s", "← room.raw: completed at 4s"])
    try host.kill(passing: .seconds(60))
    #expect(
      try why("room.raw", .latest) == "room.raw: completed at 4s\n← end of room.raw, sent at 4s")
    #expect(try why("room.raw", .number(3)).hasPrefix("room.raw 3: 10 at 3s"))
    host.restart("room.raw")
    host.send(60, to: "room.raw")
    host.settle()
    #expect(try why("room.raw", .latest).hasPrefix("room.raw 4: 60 at 1m4s"))
    let past = try explanation("room.raw", .latest)
    let kinds = past.explanation.needed.compactMap { past.origins[$0]?.kind }
    #expect(kinds.contains(.restart))
  }

  @Test func `a silence is explained by what entered around a time`() throws {
    let past = try Self.lookBack(host, at: "room.late") { past throws(LookingBack.Refusal) in
      try past.silence(at: Self.moment(3.5))
    }
    let stops = past.silence.turns.flatMap(\.stops).map { "\($0.step) \($0.value)" }
    #expect(stops.first == "debounce false" && past.silence.turns.first?.others == 2)
  }

  @Test func `a silence since a reload is explained by what entered before it`() throws {
    host.send(12, to: "room.raw")
    try host.reload(Self.graphs.replacing(". * 3", with: ". * 4"))
    host.advance(by: .seconds(60))
    let past = try Self.lookBack(host, at: "room.hot") { past throws(LookingBack.Refusal) in
      try past.silence(at: Self.moment(60))
    }
    #expect(past.silence.turns.flatMap(\.stops).first.map { "\($0.step) \($0.value)" } == "skip_repeats false")
  }

  // MARK: -

  private static func moment(_ seconds: Double) -> Int64 { 1_700_000_000_000_000 + Int64(seconds * 1e6) }

  private func value(_ signal: String, _ target: LookingBack.Target) throws -> String {
    try Self.value(host, signal, target)
  }

  private static func value(_ host: DurableHost, _ signal: String, _ target: LookingBack.Target) throws -> String {
    do {
      let value = try lookBack(host, at: signal) { past throws(LookingBack.Refusal) in try past.value(target) }
      return "\(value.payload.value) as \(value.sequence) at \((value.microseconds - moment(0)) / 1_000_000)s"
    } catch let refusal as LookingBack.Refusal {
      switch refusal {
      case .noValue(let message): return message
      case .unknown(let names): return "unknown among \(names.joined(separator: ", "))"
      case .storage(let error): return "\(error)"
      }
    }
  }

  private func explanation(_ signal: String, _ target: LookingBack.Target) throws -> PastExplanation {
    try Self.lookBack(host, at: signal) { past throws(LookingBack.Refusal) in
      try past.explanation(target, depth: 0, verifies: true)
    }
  }

  /// Returns an explanation without places, and with times since the beginning.
  private func why(_ signal: String, _ target: LookingBack.Target, verified: Bool? = true) throws -> String {
    let past = try explanation(signal, target)
    #expect(past.isVerified == verified)
    let text = ExplanationText(past.explanation, origin: { past.origins[$0] }) {
      .sinceStart(.microseconds($0.microseconds - Self.moment(0)))
    }
    return text.lines.map(\.plain).joined(separator: "\n").replacing(#/  \/\S+:\d+:\d+/#, with: "")
  }

  private static func lookBack<Result>(
    _ host: DurableHost, at signal: String, _ body: (LookingBack) throws(LookingBack.Refusal) -> Result
  ) throws -> Result {
    host.settle()
    let folder = try host.copyOfState()
    return try withExtendedLifetime(folder) { try body(LookingBack(at: signal, in: FolderReader(folder.path))) }
  }
}
