import GraphEngine
import GraphModel
import JSON
import Testing

/// The system journal as a source, controlled by the test.
@Suite struct `The journal as a source` {
  private func entry(_ cursor: String, _ fields: (String, String)...) -> SystemJournalEvent {
    .entry(
      SystemJournalEntry(
        cursor: cursor, realtime: 1_700_000_000_000_001, monotonic: 2,
        fields: fields.map { SystemJournalEntry.Field(name: $0, value: Array($1.utf8)) }))
  }

  @Test func `an entry is an object of its fields as journalctl names them`() throws {
    let graph = try TestGraph(signals: "j: {journal: {}, replay: 9}")
    let fields = [
      SystemJournalEntry.Field(name: "MESSAGE", value: Array("größer".utf8)),
      SystemJournalEntry.Field(name: "DATA", value: [0xff, 0]), .init(name: "X", value: [49]),
      .init(name: "X", value: [50]), .init(name: "X", value: [0xfe]),
    ]
    graph.journal(.entry(SystemJournalEntry(cursor: "c", realtime: 17, monotonic: 2, fields: fields)))
    #expect(
      graph.said() == [
        #"j#1 {"__CURSOR":"c","__REALTIME_TIMESTAMP":"17","__MONOTONIC_TIMESTAMP":"2","MESSAGE":"größer","DATA":[255,0],"#
          + #""X":["1","2",[254]]}"#
      ])
    #expect(graph.journalFollowers == 1)
    graph.runtime.stop()
    #expect(graph.journalFollowers == 0)
  }

  @Test func `units and matches are asked for as journalctl asks`() throws {
    let graph = try TestGraph(
      signals: """
        plain: {journal: nginx}
        both: {journal: {unit: [a.timer, my.slice], match: {PRIORITY: [2, "3"], _TRANSPORT: kernel}, from: start}}
        other: {journal: {directory: /var/log/other, match: {X: y}}}
        """)
    let queries = graph.journalStarts.map(\.query)
    #expect(
      queries.first { $0.owner == "g.plain" }?.conditions == [
        [
          ["_SYSTEMD_UNIT=nginx.service"],
          ["MESSAGE_ID=fc2e22bc6ee647b6b90729ab34a250b1", "_UID=0", "COREDUMP_UNIT=nginx.service"],
          ["_PID=1", "UNIT=nginx.service"], ["_UID=0", "OBJECT_SYSTEMD_UNIT=nginx.service"],
        ]
      ])
    let both = try #require(queries.first { $0.owner == "g.both" })
    #expect(both.conditions.map(\.count) == [9, 1])
    #expect(both.conditions[0].contains(["_SYSTEMD_SLICE=my.slice"]))
    #expect(both.conditions[1] == [["PRIORITY=2", "PRIORITY=3", "_TRANSPORT=kernel"]])
    #expect(both.folder == nil)
    let other = try #require(queries.first { $0.owner == "g.other" })
    #expect(other.folder == "/var/log/other" && other.conditions == [[["X=y"]]])
    #expect(graph.journalStarts.filter { $0.query.owner == "g.both" }.map(\.start).first == .beginning)
    #expect(graph.journalStarts.filter { $0.query.owner == "g.plain" }.map(\.start).first == .end)
  }

  @Test func `it resumes after the entry that came last`() throws {
    let graph = try TestGraph(signals: "j: {journal: a, pipe: [{map: .MESSAGE}]}", restarts: true)
    _ = graph.runtime
    #expect(graph.journalStarts.map(\.start) == [.end, .end])
    graph.journal(.reached("c1"))
    _ = graph.runtime
    #expect(graph.journalStarts.last?.start == .after("c1"))
    graph.journal(entry("c2", ("MESSAGE", "x")))
    #expect(graph.said() == [#"j#1 "x""#])
    _ = graph.runtime
    #expect(graph.journalStarts.last?.start == .after("c2"))
    graph.journal(.tooLarge("c3"))
    _ = graph.runtime
    #expect(graph.journalStarts.last?.start == .after("c3"))
    // An empty journal is read from its beginning.
    let other = try TestGraph(signals: "j: {journal: a}", restarts: true)
    other.journal(.reached(""))
    _ = other.runtime
    #expect(other.journalStarts.last?.start == .beginning)
  }

  @Test func `an entry that is too large is refused`() throws {
    let graph = try TestGraph(signals: "j: {journal: a}\ne: {journal: a, on_error: fail}")
    graph.journal(.tooLarge("c"), entry("d", ("MESSAGE", "x")))
    #expect(graph.refusals.map(\.failure.code) == ["too_long", "too_long"])
    #expect(graph.said(by: "e") == ["e failed too_long"])
    #expect(graph.journalFollowers == 1)
  }

  @Test(arguments: [false, true])
  func `a lazy signal reads while it has subscribers, and one that is kept by a reload reads on`(lazy: Bool) throws {
    let trait = lazy ? ", lazy: true" : ""
    let graph = try TestGraph(signals: "j: {journal: a\(trait)}")
    #expect(graph.journalFollowers == (lazy ? 0 : 1))
    if lazy { graph.attach(to: "j") }
    #expect(graph.journalFollowers == 1)
    let starts = graph.journalStarts.count
    let verdict = graph.reload(try TestGraph.configuration(signals: "j: {journal: a\(trait), doc: x}\nk: {input: {}}"))
    #expect(verdict.kept == ["g.j"])
    if !TestGraph.restartsByDefault { #expect(graph.journalStarts.count == starts) }
    #expect(graph.reload(try TestGraph.configuration(signals: "j: {journal: b\(trait)}")).changed == ["g.j"])
    #expect(graph.journalFollowers == 1)
    #expect(graph.journalStarts.last?.query.conditions.first?.first == ["_SYSTEMD_UNIT=b.service"])
  }
}
