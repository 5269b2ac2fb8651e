import GraphCatalogue
import GraphEngine
import GraphModel
import JSON
import Signals
import Testing

/// The shortest and the longest allowed durations, at every place of a file.
@Suite struct `Extreme times` {
  /// Every parameter that is a duration, `D`, in a signal that uses it.
  private static let uses: [String: String] = [
    "interval.interval": "interval: D",
    "timer.after": "timer: D",
    "timer.every": "timer: {after: 1s, every: D}",
    "file.every": "file: {path: /f, every: D}",
    "dbus.every": "dbus: {name: a.b, path: /, interface: a.b, property: P, every: D}",
    "marble.tick": "marble: {diagram: '-1-2-3#', tick: D}",
    "audit.interval": "from: in, pipe: [{audit: D}]",
    "buffer.time": "from: in, pipe: [{buffer: {time: D}}]",
    "buffer.lateness": "from: in, pipe: [{buffer: {time: 1s, timestamp: length, lateness: D}}]",
    "debounce.interval": "from: in, pipe: [{debounce: D}]",
    "delay.interval": "from: in, pipe: [{delay: D}]",
    "delay_start.delay": "from: in, pipe: [{delay_start: D}]",
    "group_by.idle": "from: in, pipe: [{group_by: {key: ., idle: D, pipe: [count]}}]",
    "repeat.delay": "values: [1], pipe: [{repeat: {delay: D}}]",
    "retry.delay": "fail: {code: x}, pipe: [{retry: {delay: D, backoff: 2}}]",
    "retry.max_delay": "fail: {code: x}, pipe: [{retry: {delay: 1s, backoff: 2, max_delay: D}}]",
    "retry.reset_after": "fail: {code: x}, pipe: [{retry: {delay: 1s, times: 3, reset_after: D}}]",
    "sample.every": "from: in, pipe: [{sample: {every: D}}]",
    "skip_for.interval": "from: in, pipe: [{skip_for: D}]",
    "take_for.interval": "from: in, pipe: [{take_for: D}]",
    "throttle.interval": "from: in, pipe: [{throttle: D}]",
    "timeout.total": "from: in, pipe: [{timeout: {total: D}}]",
    "timeout.first": "from: in, pipe: [{timeout: {first: D}}]",
    "timeout.gap": "from: in, pipe: [{timeout: {gap: D}}]",
    "unique.idle": "from: in, pipe: [{unique: {idle: D}}]",
    "window.time": "from: in, pipe: [{window: {time: D}}]",
    "window.lateness": "from: in, pipe: [{window: {time: 1s, timestamp: length, lateness: D}}]",
  ]
  private static let times = ["0s", "1ms", "36500d", "36499d23h59m59s999ms"]

  @Test func `every parameter that is a duration is tried`() {
    var declared: Set<String> = []
    for declaration in Catalogue.operators {
      for parameter in declaration.parameters where parameter.shape == .duration {
        declared.insert("\(declaration.name).\(parameter.name)")
      }
    }
    for declaration in Catalogue.sources {
      for parameter in declaration.parameters where parameter.shape == .duration {
        declared.insert("\(declaration.name).\(parameter.name)")
      }
    }
    // The adapter counts the interval of a poll.
    #expect(declared.subtracting(["http.every"]) == Set(Self.uses.keys))
  }

  @Test(arguments: uses.keys.sorted(), times)
  func `a time is refused, or the signal lives through centuries`(parameter: String, time: String) throws {
    let declaration = (Self.uses[parameter] ?? "").replacing("D", with: time)
    try Self.liveThrough("in: {input: {endable: true}}\nout: {\(declaration)}")
  }

  @Test(arguments: times) func `a window that emits expiries lives through centuries`(time: String) throws {
    try Self.liveThrough(
      "in: {input: {endable: true}}\nout: {from: in, pipe: [{window: {time: \(time), emit: both}}]}")
  }

  @Test(arguments: times, ["window", "buffer"])
  func `a list by the times that values carry lives through centuries`(time: String, name: String) throws {
    try Self.liveThrough(
      "in: {input: {endable: true}}\nout: {from: in, pipe: [{\(name): {time: \(time), timestamp: length}}]}")
  }

  @Test(arguments: times) func `a value is kept for so long`(time: String) throws {
    try Self.liveThrough("in: {input: {endable: true}, replay: {for: \(time), count: 3}}")
  }

  @Test(
    arguments: ["1", "2", "9.3e9", "1e300", "1.7976931348623157e308", ".inf", ".nan"], ["", ", max_delay: 36500d"])
  func `pauses grow by any factor, and no longer than they may`(backoff: String, limit: String) throws {
    let retry = "retry: {delay: 1s, backoff: \(backoff)\(limit)}"
    try Self.liveThrough("in: {input: {endable: true}}\nout: {fail: {code: x}, pipe: [{\(retry)}]}")
  }

  @Test func `a pause that grows past the longest is the longest`() throws {
    let graph = try TestGraph(
      signals: "out: {marble: {diagram: 1#}, pipe: [{retry: {delay: 1s, backoff: 9.3e9, max_delay: 1m}}]}")
    graph.advance(to: 180)
    #expect(graph.signal("out").sequence == 4)
  }

  @Test func `a diagram that lasts longer is refused`() {
    #expect(throws: ConfigurationError.self) { try TestGraph(signals: "out: {marble: {diagram: --1, tick: 18251d}}") }
  }

  @Test(arguments: [
    "delay: 0s", "debounce: 0s", "audit: 0s", "delay_when: {timer: 0s}", "flat_map: {latest: {timer: 0s}}",
  ])
  func `a circle without any time in it lets time advance`(step: String) throws {
    let graph = try TestGraph(signals: "a: {input: {}}\nb: {from: a, pipe: [{\(step)}, {send_to: a}]}")
    try graph.send("1", to: "a")
    graph.advance(to: 0.003)
    #expect(1000...5000 ~= graph.signal("b").sequence)
    #expect(graph.runtime.nextDeadline.map { $0 > Instant(nanoseconds: 3_000_000) } == true)
  }

  /// Starts a graph, unless its file is refused, sends to it now and then, and advances a hundred years twice: second
  /// by second first, then in one jump.
  private static func liveThrough(_ signals: String) throws {
    let graph: TestGraph
    do {
      graph = try TestGraph(signals: signals)
    } catch is ConfigurationError {
      return
    }
    let century: Double = 100 * 365 * 86_400
    for second in [0, 1, 1.5, 3, 10] {
      graph.advance(to: second)
      try graph.send("1", to: "in")
    }
    for second in [century, 2 * century] {
      graph.runtime.advance(to: Instant(nanoseconds: Int64(second * 1e9)))
      try graph.send("2", to: "in")
    }
    try graph.runtime.end(graph.signal("in"), with: .completed)
    _ = graph.signal("in").retained
  }
}
