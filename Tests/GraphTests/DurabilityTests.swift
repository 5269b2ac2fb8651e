import Testing

@testable import GraphCatalogue
@testable import GraphEngine
@testable import GraphModel

struct DurabilityTests {
  private static let signals = "signals: {a: {input: {}}, c: {from: a, cold: true}}, actions: {run: {exec: [x]}}"

  private func configuration(durable: String?) throws -> Configuration {
    let key = durable.map { "durable: \($0), " } ?? ""
    return try TestGraph.configuration("signalbox: 1\ngraphs:\n  g: {\(key)\(Self.signals)}\n")
  }

  private func durability(_ text: String?) throws -> Durability? {
    try #require(configuration(durable: text).graphs.first).durability
  }

  private func problems(_ files: [String: String], _ source: ConfigurationSource) throws -> Diagnostics {
    let inputs = ConfigurationWorld(files: files).inputs
    let error = #expect(throws: ConfigurationError.self) { try Configuration.load(source, inputs: inputs) }
    guard case .invalid(let diagnostics)? = error else { return Diagnostics([]) }
    return diagnostics
  }

  @Test(arguments: [nil, "false"] as [String?]) func `a graph is durable only where that is asked for`(text: String?)
    throws
  {
    #expect(try durability(text) == nil)
  }

  @Test(arguments: ["true", "{}", "{sync: commit}", "{message_ids: }", "{message_ids: {for: 10m, count: 100000}}"])
  func `a durable graph syncs each commit and keeps no history unless it declares that`(text: String) throws {
    let durability = try #require(try durability(text))
    #expect(durability == Durability())
    #expect(durability.sync == .commit)
    #expect(durability.history == nil)
    #expect(durability.messageIDs.age == .seconds(600))
    #expect(durability.messageIDs.count == 100_000)
  }

  @Test func `every key of durable is read`() throws {
    let durability = try #require(
      try durability("{sync: 1s500ms, history: {for: 7d, size: 20GiB}, message_ids: {for: 1h, count: 5}}"))
    #expect(durability.sync == .within(.milliseconds(1_500)))
    #expect(durability.history == Durability.History(age: .seconds(7 * 86_400), size: 20 << 30))
    #expect(durability.messageIDs == Durability.MessageIDs(age: .seconds(3_600), count: 5))
  }

  @Test(arguments: [
    ("{for: 1d}", Durability.History(age: .seconds(86_400), size: nil)),
    ("{size: 1MiB}", Durability.History(age: nil, size: 1 << 20)),
  ])
  func `one bound of a history is enough`(text: String, history: Durability.History) throws {
    #expect(try durability("{history: \(text)}")?.history == history)
  }

  @Test(arguments: [
    ("yes", "expected true, false, or a mapping with sync, history or message_ids, found \"yes\""),
    ("", "expected true, false, or a mapping with sync, history or message_ids, found nothing"),
    ("[true]", "expected true, false, or a mapping with sync, history or message_ids, found a list"),
    ("{synk: commit}", "unknown key \"synk\"; did you mean \"sync\"?"),
    ("{sync: comit}", "expected commit, or a duration such as 1s, found \"comit\"; did you mean \"commit\"?"),
    ("{sync: 2}", "expected commit, or a duration such as 1s, found the number 2; did you mean \"2s\"?"),
    ("{sync: 99ms}", "must be at least 100ms"), ("{sync: 2h}", "must be at most 1h"),
    ("{history: 7d}", "expected a mapping, found \"7d\""),
    ("{history: {}}", "history needs for, size or both: it must be bounded"),
    ("{history: {fro: 7d}}", "unknown key \"fro\"; did you mean \"for\"?"),
    ("{history: {for: 7d, size: 4KiB}}", "must be at least 1MiB"), ("{history: {for: 0s}}", "must be at least 1s"),
    ("{message_ids: {count: 0}}", "must be at least 1"),
    ("{message_ids: {count: 10000001}}", "must be at most 10000000"),
    ("{message_ids: {for: 10ms}}", "must be at least 1s"),
  ])
  func `an error in durable is reported in words that help`(text: String, message: String) throws {
    let file = "signalbox: 1\ngraphs:\n  g:\n    durable: \(text)\n"
    let found = try problems(["/f.yaml": file], .alone("/f.yaml"))
    #expect(found.list.count == 1)
    let told = DiagnosticRenderer.text(found)
    #expect(told.hasPrefix("/f.yaml:4:"))
    #expect(told.contains(" error: \(message)\n"), "\(told)")
  }

  @Test func `one file alone declares whether a graph is durable`() throws {
    let found = try problems(
      [
        "/etc/f.yaml": "signalbox: 1\ngraphs: {g: {durable: true}}\n",
        "/etc/conf.d/a.yaml": "signalbox: 1\ngraphs: {g: {durable: false}}\n",
      ], .withAdditions("/etc/f.yaml")
    ).list
    #expect(found.map(\.message) == ["duplicate \"durable\" of graph \"g\""])
    #expect(found.first?.place.description == "/etc/conf.d/a.yaml:2:14")
    #expect(found.first?.related?.place.description == "/etc/f.yaml:2:14")
  }

  @Test func `the signals of another file are durable with their graph`() throws {
    let files = [
      "/etc/f.yaml": "signalbox: 1\ngraphs: {g: {signals: {a: {input: {}}}}}\n",
      "/etc/conf.d/a.yaml": "signalbox: 1\ngraphs: {g: {durable: true}, h: {signals: {b: {from: g.a}}}}\n",
    ]
    let read = try Configuration.load(.withAdditions("/etc/f.yaml"), inputs: ConfigurationWorld(files: files).inputs)
    #expect(read.graphs.flatMap(\.signals).filter(\.isDurable).map(\.name) == ["g.a"])
  }

  @Test func `cold signals and those of actions are not durable, for they end with others`() throws {
    let graph = try #require(configuration(durable: "true").graphs.first)
    #expect(graph.signals.filter(\.isDurable).map(\.name) == ["g.a"])
  }

  @Test(arguments: [("true", nil), (nil, "true"), ("true", "false")] as [(String?, String?)])
  func `a signal restarts when its graph becomes durable or is no longer`(before: String?, after: String?) throws {
    let graph = TestGraph(try configuration(durable: before))
    let verdict = graph.reload(try configuration(durable: after))
    #expect(verdict.changed == ["g.a", "g.c"])
    #expect(verdict.kept == ActionSignal.visible.map { "g.run.\($0.rawValue)" })
  }

  @Test func `how a graph is durable may change under signals that continue`() throws {
    let graph = TestGraph(try configuration(durable: "true"))
    let verdict = graph.reload(try configuration(durable: "{sync: 1s, history: {for: 1d}}"))
    #expect(verdict.changed.isEmpty)
  }
}
