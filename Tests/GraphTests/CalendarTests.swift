import GraphEngine
import GraphModel
import GraphStories
import GraphTools
import JSON
import Signals
import Testing

/// Calendar times as a source, and as the ends of lists.
@Suite struct CalendarTests {
  /// Returns the outcome of a test of some signals, which must pass with and without restarts.
  private func report(of test: String, _ signals: String) throws -> String {
    let indented = signals.split(separator: "\n").map { "      \($0)" }.joined(separator: "\n")
    let configuration = try TestGraph.configuration(
      "signalbox: 1\ngraphs:\n  g:\n    signals:\n\(indented)\n    tests:\n      - {\(test)}\n")
    var reports: [String] = []
    for restarts in [false, true] {
      configuration.runTests(restarts: restarts) { if !$0.hasPassed { reports.append("\($0.report)") } }
    }
    return reports.joined()
  }

  /// Tests a source `at` with expected moments, each possibly with its value.
  private func times(_ at: String, start: String, until: String, _ expected: [String]) throws -> String {
    let steps = expected.map { line in
      let words = line.split(separator: " ")
      return "{at: '\(words[0])', expect: {a: '\(words[words.count - 1])'}}"
    }
    return try report(
      of: "start: '\(start)', until: '\(until)', script: [\(steps.joined(separator: ", "))]", "a: {\(at)}")
  }

  @Test(arguments: [
    ("at: '06:00', timezone: UTC", ["2026-01-01T06:00:00Z", "2026-01-02T06:00:00Z"]),
    ("at: [Thu 06:00, Fri 07:00 UTC]", ["2026-01-01T06:00:00Z", "2026-01-02T07:00:00Z"]),
    (
      "at: {times: [Thu 06:00, Fri 07:00], timezone: Asia/Kolkata}",
      ["2026-01-01T00:30:00Z 2026-01-01T06:00:00+05:30", "2026-01-02T01:30:00Z 2026-01-02T07:00:00+05:30"]
    ),
    ("at: '12:00:00.25', missed: skip", ["2026-01-01T12:00:00.25Z", "2026-01-02T12:00:00.25Z"]),
    (
      "at: ['09:00', '09:00 Europe/Berlin', '09:00']",
      [
        "2026-01-01T08:00:00Z 2026-01-01T09:00:00+01:00", "2026-01-01T09:00:00Z",
        "2026-01-02T08:00:00Z 2026-01-02T09:00:00+01:00", "2026-01-02T09:00:00Z",
      ]
    ),
  ])
  func `each time is emitted when it comes, as the clocks of its place show it`(at: String, expected: [String]) throws {
    #expect(try times(at, start: "2026-01-01", until: "2026-01-02T23:00:00Z", expected) == "")
  }

  @Test func `a time over which clocks are put forward does not come, and one that comes twice does so once`() throws {
    let berlin = "at: '02:30', timezone: Europe/Berlin"
    #expect(
      try times(
        berlin, start: "2026-03-28", until: "2026-03-30T22:00:00Z",
        ["2026-03-28T01:30:00Z 2026-03-28T02:30:00+01:00", "2026-03-30T00:30:00Z 2026-03-30T02:30:00+02:00"]) == "")
    #expect(
      try times(
        berlin, start: "2026-10-25", until: "2026-10-26T22:00:00Z",
        ["2026-10-25T00:30:00Z 2026-10-25T02:30:00+02:00", "2026-10-26T01:30:00Z 2026-10-26T02:30:00+01:00"]) == "")
  }

  @Test(arguments: [
    ("'02:30'", ["2026-03-29T01:00:00Z 2026-03-29T03:00:00+02:00"]),
    ("'02:00'", ["2026-03-29T01:00:00Z 2026-03-29T03:00:00+02:00"]),
    // Several skipped times, and one at the end of the gap, are one.
    ("['02:10', '02:50', '03:00']", ["2026-03-29T01:00:00Z 2026-03-29T03:00:00+02:00"]),
    (
      "'*:0/30'",
      [
        "2026-03-29T00:30:00Z 2026-03-29T01:30:00+01:00", "2026-03-29T01:00:00Z 2026-03-29T03:00:00+02:00",
        "2026-03-29T01:30:00Z 2026-03-29T03:30:00+02:00",
      ]
    ),
  ])
  func `a skipped time comes at the change of clocks where asked`(at: String, expected: [String]) throws {
    #expect(
      try times(
        "at: \(at), timezone: Europe/Berlin, skipped: run", start: "2026-03-29T00:10:00Z",
        until: "2026-03-29T01:40:00Z", expected) == "")
  }

  @Test func `the last time completes it, and without one it completes at once`() throws {
    let signals = "a: {at: [2026-12-24 18:00, 2026-12-25 08:00], timezone: UTC}\nb: {at: 2003-03-05}"
    let script = """
      {at: 0s, expect_end: {b: completed}}, {at: '2026-12-24T18:00:00Z', expect: {a: '2026-12-24T18:00:00Z'}},
      {at: '2026-12-25T08:00:00Z', expect: {a: '2026-12-25T08:00:00Z'}},
      {at: '2026-12-25T08:00:00Z', expect_end: {a: completed}}
      """.replacing("\n", with: " ")
    #expect(try report(of: "start: 2026-01-01, script: [\(script)]", signals) == "")
  }

  @Test func `lazy and cold signals wait from when they have subscribers, and restart begins with the next time`()
    throws
  {
    let graph = try TestGraph(
      signals: """
        a: {at: '00:00:10', timezone: UTC, lazy: true}
        b: {at: ['1970-01-01 00:00:05', '1970-01-02'], timezone: UTC}
        c: {at: minutely, timezone: UTC, pipe: [{take: 1}]}
        """)
    graph.advance(to: 20)
    #expect(graph.said() == ["b#1 \"1970-01-01T00:00:05Z\""])
    graph.attach(to: "a")
    graph.advance(to: 60)
    #expect(graph.said() == ["c#1 \"1970-01-01T00:01:00Z\"", "c completed"])
    graph.runtime.restart(["g.c"])
    graph.advance(to: 120)
    #expect(graph.said() == ["c#2 \"1970-01-01T00:02:00Z\"", "c completed"])
    graph.advance(to: 86_410)
    #expect(graph.said(by: "a") == ["a#1 \"1970-01-02T00:00:10Z\""])
  }

  @Test func `a reload keeps what is waited for, unless the times have changed`() throws {
    func configuration(_ second: String) throws -> Configuration {
      try TestGraph.configuration(
        signals: "a: {at: '*:*:30', pipe: [count_of]}\nb: {at: '\(second)'}"
          .replacing("count_of", with: "{scan: {initial: 0, next: $state + 1}}"))
    }
    let graph = TestGraph(try configuration("*:*:10"))
    graph.advance(to: 40)
    _ = graph.said()
    let verdict = graph.reload(try configuration("*:*:45"))
    #expect(verdict.kept == ["g.a"])
    graph.advance(to: 100)
    #expect(graph.said() == ["b#2 \"1970-01-01T00:00:45Z\"", "a#2 2"])
  }

  // MARK: Clock changes

  /// A graph whose clock was changed by `seconds` 30 seconds after the start at 05:59:00.
  private func graph(_ signals: String, setBy seconds: Double) throws -> TestGraph {
    let graph = try TestGraph(signals: signals, restarts: false)
    graph.runtime.clock.wallOffset = 5 * 3600 + 59 * 60
    graph.runtime.restart(graph.runtime.signals.map(\.name))
    graph.advance(to: 30)
    graph.runtime.clock.wallOffset += seconds
    return graph
  }

  @Test(arguments: [("run", ["a#1 \"1970-01-01T06:10:00Z\""]), ("skip", [])])
  func `times over which the clock is set are made up for once, at the last one`(
    missed: String, expected: [String]
  ) throws {
    let graph = try graph("a: {at: ['06:00', '06:10'], missed: \(missed)}", setBy: 3600)
    graph.advance(to: 31)
    #expect(graph.said() == expected)
    #expect(graph.runtime.nextDeadline == Instant.zero + .seconds(86_400 - 3600 + 60))
  }

  @Test(arguments: ["run", "skip"]) func `a time that comes a little late was not missed`(missed: String) throws {
    let graph = try graph("a: {at: ['06:00'], missed: \(missed)}", setBy: 60)
    graph.advance(to: 31)
    #expect(graph.said() == ["a#1 \"1970-01-01T06:00:00Z\""])
  }

  @Test func `the same time does not come twice when the clock is set back a little`() throws {
    let graph = try graph("a: {at: ['06:00', '06:30']}", setBy: 60)
    graph.advance(to: 40)
    _ = graph.said()
    graph.runtime.clock.wallOffset -= 1800
    graph.advance(to: 3700)
    #expect(graph.said() == ["a#2 \"1970-01-01T06:30:00Z\""])
  }

  @Test func `a clock that is set back by hours had been wrong, and times count from the new one`() throws {
    let graph = try graph("a: {at: ['06:00', '06:30']}", setBy: 86_400 * 365)
    graph.advance(to: 40)
    #expect(graph.said() == ["a#1 \"1970-12-31T06:30:00Z\""])
    graph.runtime.clock.wallOffset -= 86_400 * 365
    graph.advance(to: 70)
    #expect(graph.said() == ["a#2 \"1970-01-01T06:00:00Z\""])
  }

  // MARK: Lists

  @Test func `a list of buffer ends with its period, and an empty one is none`() throws {
    let test = """
      start: '2026-01-01T00:00:57Z', values: {x: [1, 2], y: [3]}, given: {a: '12-3-|'}, expect: {b: '---x-(y|)'}
      """
    #expect(try report(of: test, "a: {input: {endable: true}}\nb: {from: a, pipe: [{buffer: {every: minute}}]}") == "")
  }

  @Test func `a value at the very end of a period belongs to the next`() throws {
    let test =
      "start: '2026-01-01T00:00:58Z', values: {x: [1], y: [2]}, given: {a: '1-2'}, tick: 1s, "
      + "script: [{at: 2s, expect: {b: [1]}}, {at: 62s, expect: {b: [2]}}], expect: {w: 'x-y'}"
    let signals = """
      a: {input: {}}
      b: {from: a, pipe: [{buffer: {every: minute}}]}
      w: {from: a, pipe: [{window: {every: minute}}]}
      """
    #expect(try report(of: test, signals) == "")
  }

  @Test func `periods are those of the zone, and an hour that clocks repeat is another one`() throws {
    let signals = """
      a: {interval: 30m}
      hours: {from: a, pipe: [{buffer: {every: hour, timezone: Europe/Berlin}}, {map: length}]}
      days: {from: a, pipe: [{buffer: {every: day, timezone: Europe/Berlin}}, {map: length}]}
      """
    let test =
      "start: '2026-10-25T00:00:00+02:00', until: 25h, script: ["
      + (1...25).map { "{at: \($0)h, expect: {hours: \($0 == 1 ? 1 : 2)}}" }.joined(separator: ", ")
      + ", {at: 25h, expect: {days: 49}}]"
    #expect(try report(of: test, signals) == "")
  }

  @Test func `a window holds what came in its period so far`() throws {
    let test = """
      start: '2026-01-01T23:59:57Z', values: {x: [1], y: [1, 2], z: [3], u: [3, 4]}, given: {a: '12-34'}, \
      expect: {b: 'xy-zu'}
      """
    #expect(
      try report(of: test, "a: {input: {}}\nb: {from: a, pipe: [{window: {every: day, timezone: UTC}}]}") == "")
  }

  @Test func `count closes a list of a period before its end`() throws {
    let test = """
      start: '2026-01-01T00:00:56Z', values: {x: [1, 2], y: [3]}, given: {a: '123--'}, expect: {b: '-x--y'}
      """
    #expect(try report(of: test, "a: {input: {}}\nb: {from: a, pipe: [{buffer: {every: minute, count: 2}}]}") == "")
  }

  // MARK: The sun

  /// A graph at a location, in degrees.
  private func sunGraph(_ signal: String, _ latitude: Double, _ longitude: Double) throws -> Configuration {
    try TestGraph.configuration(
      """
      signalbox: 1
      server: {location: {latitude: \(latitude), longitude: \(longitude)}}
      graphs: {g: {signals: {\(signal)}}}
      """)
  }

  @Test func `times of the sun are those of the location, also after a reload with another`() throws {
    let signal = "a: {at: Mon..Sun sunset + 30m UTC}"
    let (berlin, quito) = (try sunGraph(signal, 52.52, 13.405), try sunGraph(signal, -0.18, -78.47))
    let graph = TestGraph(berlin)
    graph.advance(to: 12 * 3600)
    #expect(graph.reload(quito).kept == ["g.a"])
    graph.advance(to: 23 * 3600)
    #expect(graph.said() == [])
    graph.advance(to: 24 * 3600)
    #expect(graph.said() == ["a#1 \"1970-01-01T23:51:32Z\""])
    _ = graph.reload(berlin)
    graph.advance(to: 40 * 3600)
    #expect(graph.said() == ["a#2 \"1970-01-02T15:33:36Z\""])
  }

  @Test(arguments: [
    ("{latitude: 91, longitude: 0}", "must be at most 90"), ("{latitude: 1, longitude: -181}", "must be at least -180"),
    ("", "sunset depends on the location of the machine; set server.location"),
    ("{latitude: 52.5}", "missing \"longitude\""), ("{lat: 1, latitude: 1, longitude: 1}", "unknown key \"lat\""),
    ("{latitude: 90, longitude: 0}", "\"sunset\" never occurs: no sunset on these days at server.location"),
  ])
  func `a wrong location is one error`(location: String, message: String) throws {
    let error = #expect(throws: ConfigurationError.self) {
      try TestGraph.configuration(
        "signalbox: 1\nserver: {location: \(location)}\ngraphs: {g: {signals: {a: {at: sunset}}}}\n")
    }
    guard case .invalid(let diagnostics)? = error else { return }
    let text = DiagnosticRenderer.text(diagnostics)
    #expect(text.contains(message) && text.split(separator: "error:").count == 2, "\(text)")
  }

  // MARK: Errors

  @Test(arguments: [
    ("a: {at: 'mondey 06:00'}", "unknown word \"mondey\"", "\"monday\""),
    ("a: {at: 'dayly'}", "unknown word \"dayly\"", "\"daily\""),
    ("a: {at: '6:70'}", "a minute is 0 to 59", ""),
    ("a: {at: '*/5 * * * *'}", "cron notation", ""),
    ("a: {at: 2026-02-30}", "never occurs", ""),
    ("a: {at: Mon sunset}", "set server.location", ""), ("a: {at: sunrize}", "unknown word \"sunrize\"", "\"sunrise\""),
    ("a: {at: '06:00 Europe/Berlni'}", "no time zone \"Europe/Berlni\"", "\"Europe/Berlin\""),
    ("a: {at: '06:00', timezone: ../../etc/passwd}", "no time zone", ""),
    (
      #"a: {interval: 1s, pipe: [{map: 'strftime("%H"; "Europe/Berlni")'}]}"#,
      "test.yaml:5:54: error: no time zone \"Europe/Berlni\" on this machine", "\"Europe/Berlin\""
    ),
    ("a: {at: []}", "a time of the calendar", ""), ("a: {at: {timezone: UTC}}", "at needs \"times\"", ""),
    ("a: {at: '06:00', missed: maybe}", "one of run, skip", ""),
    ("a: {interval: 1s, pipe: [{buffer: {every: minit}}]}", "unknown word \"minit\"", "\"minute\""),
    ("a: {interval: 1s, pipe: [{buffer: {every: minute, time: 1s}}]}", "give one of", ""),
    ("a: {interval: 1s, pipe: [{buffer: {count: 2, timezone: UTC}}]}", "timezone requires", ""),
    ("a: {interval: 1s, pipe: [{window: {count: 2, every: hour}}]}", "give exactly one of", ""),
  ])
  func `errors are reported with their place`(signal: String, message: String, suggestion: String) throws {
    do {
      _ = try TestGraph.configuration(signals: signal)
      Issue.record("it was taken")
    } catch {
      let text = "\(error)"
      guard case .invalid(let diagnostics)? = error as? ConfigurationError else { throw error }
      let shown = DiagnosticRenderer.text(diagnostics)
      #expect(shown.contains(message) && shown.contains(suggestion), "\(shown) \(text)")
    }
  }
}
