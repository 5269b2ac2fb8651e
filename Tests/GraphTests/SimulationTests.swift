import GraphModel
import GraphTools
import JSON
import Testing

/// Recordings replayed in virtual time.
struct SimulationTests {
  @Test func `a recording brings about what the graphs would have made of it`() throws {
    let lines = [
      #"{"at":"2026-05-01T12:00:00Z","signal":"g.raw","value":1}"#,
      #"{"event":"next","signal":"g.raw","seq":9,"value":2.50,"at":"2026-05-01T14:00:01.000001+02:00"}"#,
      #"{"event":"lagged","signal":"g.raw","dropped":3}"#,
      #"{"event":"completed","signal":"g.raw","at":"2026-05-01T12:00:09Z"}"#,
    ]
    #expect(
      try replay(lines) == [
        #"{"event":"next","signal":"g.when","seq":1,"value":1777636800,"at":"2026-05-01T12:00:00.000000Z"}"#,
        #"{"event":"next","signal":"g.when","seq":2,"value":1777636801.000001,"at":"2026-05-01T12:00:01.000001Z"}"#,
        #"{"event":"next","signal":"g.late","seq":1,"value":2.50,"at":"2026-05-01T12:00:03.000001Z"}"#,
        #"{"event":"completed","signal":"g.late","at":"2026-05-01T12:00:09.000000Z"}"#,
        #"{"event":"completed","signal":"g.when","at":"2026-05-01T12:00:09.000000Z"}"#,
      ])
  }

  @Test func `times may count from the start, and continue after the last line`() throws {
    let line = #"{"at":"1m500ms","signal":"g.raw","value":{"b":1,"a":2}}"#
    #expect(
      try replay([line]).last == #"{"event":"next","signal":"g.when","seq":1,"value":60.5,"at":"1m500ms"}"#)
    #expect(
      try replay([line], until: "2m").last
        == #"{"event":"next","signal":"g.late","seq":1,"value":{"b":1,"a":2},"at":"1m2s500ms"}"#)
  }

  @Test func `the same recording gives the same events to the byte`() throws {
    let lines = (0..<1000).map { #"{"at":"\#($0 * 7)ms","signal":"g.raw","value":\#($0 * $0 % 13)}"# }
    let first = try replay(lines, until: "1h")
    #expect(try replay(lines, until: "1h") == first)
    #expect(first.count > 1000)
  }

  @Test(arguments: [
    (
      #"{"signal":"g.raw","value":1}"#,
      "missing \"at\": its time, such as \"2026-05-01T12:00:00Z\" or \"1m30s\""
    ),
    (
      #"{"at":"noon","signal":"g.raw","value":1}"#,
      "\"at\" must be RFC 3339 such as \"2026-05-01T12:00:00Z\", or a duration, not \"noon\""
    ),
    (
      #"{"at":"2026-13-01T12:00:00Z","signal":"g.raw","value":1}"#,
      "\"at\" must be RFC 3339 such as \"2026-05-01T12:00:00Z\", or a duration, not \"2026-13-01T12:00:00Z\""
    ),
    (#"{"at":"1s","signal":"g.raw"}"#, "missing \"value\""),
    (#"{"at":"1s","value":1}"#, "missing \"signal\""),
    (#"{"at":"1s","signal":"g.rwa","value":1}"#, "no signal \"g.rwa\"; did you mean \"g.raw\"?"),
    (#"{"at":"1s","signal":"g.late","value":1}"#, "g.late is computed from g.raw: it takes no values"),
    (#"{"at":"0s","signal":"g.text","value":1}"#, "g.text: expected a string, found a number"),
    (
      #"{"at":"1s","signal":"g.raw","event":"moved"}"#,
      "\"event\" must be next, completed, failed, interrupted or subscribed, not \"moved\""
    ),
    (#"[1]"#, "expected an object, found [1]"),
  ])
  func `a line that makes no sense is refused`(line: String, message: String) throws {
    let error = #expect(throws: RecordingError.self) { try replay([line]) }
    #expect(error?.message == message)
  }

  @Test func `time does not go back, and is of one kind`() throws {
    let first = #"{"at":"2s","signal":"g.raw","value":1}"#
    let error = #expect(throws: RecordingError.self) {
      try replay([first, #"{"at":"1s","signal":"g.raw","value":1}"#])
    }
    #expect(error?.message == "times out of order: 1s after 2s")
    #expect(throws: RecordingError.self) {
      try replay([first, #"{"at":"2026-05-01T12:00:00Z","signal":"g.raw","value":1}"#])
    }
  }

  @Test(arguments: [
    ("2000-01-01T00:00:00Z", "9999-01-01T00:00:00Z"), ("1999-01-01T00:00:00Z", "2100-01-01T00:00:00Z"),
  ])
  func `a recording lasts a hundred years at most`(start: String, end: String) throws {
    let lines = [start, end].map { #"{"at":"\#($0)","signal":"g.raw","value":1}"# }
    let error = #expect(throws: RecordingError.self) { try replay(lines) }
    #expect(error?.message.contains("is more than 36500d after the start") == true)
  }

  @Test(arguments: ["36501d", "9223372036854775807ms"]) func `a longer time since the start is no time`(text: String) {
    #expect(RecordedTime(text) == nil)
    #expect(RecordedTime("36500d") == .sinceStart(.seconds(36_500 * 86_400)))
  }

  private func replay(_ lines: [String], until: String? = nil) throws -> [String] {
    let configuration = try TestGraph.configuration(
      signals: """
        raw: {input: {}}
        text: {input: {type: string}}
        late: {from: raw, pipe: [{debounce: 2s}]}
        when: {from: raw, pipe: [{map: now}]}
        load: {file: {path: /proc/loadavg, every: 1s}}
        """)
    var parser = JSONParser()
    var said: [String] = []
    var members = RecordedMembers()
    let events = try lines.compactMap { line in
      try members.read(try parser.value(of: Array(line.utf8).span))
      return try RecordedEvent(members)
    }
    let start = if case .moment? = events.first?.time { events[0].time } else { RecordedTime.sinceStart(.zero) }
    let simulation = Simulation(configuration, start: start, showing: { $0.kind != .input }) { event in
      said.append(String(decoding: event.line, as: UTF8.self))
    }
    for event in events { try simulation.play(event) }
    if let until = until.flatMap(RecordedTime.init) { try simulation.run(until: until) } else { simulation.finish() }
    return said
  }
}
