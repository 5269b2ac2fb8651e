import GraphEngine
import GraphModel
import JSON
import Testing

@testable import Persistence

/// Values that a durable graph's file signals cannot take.
@Suite struct `Values that durable files refuse` {
  /// A configuration with these file signals, and an ordinary graph that sends to the first.
  private static func yaml(_ files: String) -> String {
    """
    signalbox: 1
    server: {limits: {line: 1KiB}}
    graphs:
      o: {signals: {in: {input: {}}, bound: {from: in, pipe: [{send_to: g.t}]}}}
      g: {durable: true, signals: {\(files)}}

    """
  }

  private static let files = """
    t: {file: {path: /t, format: text, write: true}, replay: 9},
          l: {file: {path: /l, format: lines, append: true}, replay: 9},
          n: {file: {folder: /n, name: .name, format: json, write: true}, replay: 9}
    """

  private func host() throws -> DurableHost { try DurableHost(yaml: Self.yaml(Self.files), microseconds: 0) }

  private static let noName = SendError.failed(
    SignalFailure(code: "file", message: "\"../x\" is not a valid path below /n"))

  private static let cases: [(String, JSONValue, SendError)] = [
    ("g.t", 5, .badValue(expected: "a string", found: "a number")),
    (
      "g.t", .string(String(repeating: "x", count: 1025)),
      .badValue(expected: "at most 1024 bytes (limits.line)", found: "1025")
    ),
    ("g.l", [1], .badValue(expected: "an array of lines", found: "an array with other elements")),
    ("g.n", ["name": "../x"], noName),
  ]

  private static let good: [String: JSONValue] = ["g.t": "a", "g.l": ["a"], "g.n": ["name": "a"]]

  /// Returns the reason for which a client's message was refused.
  private func refusal(of content: DurableGraphs.Content, to name: String, in host: DurableHost) throws -> SendError? {
    let signal = try #require(host.main.signal(named: name))
    do throws(DurableGraphs.Refusal) {
      try host.present.send(content, to: signal, message: "m", from: nil, reply: .answer { _ in })
    } catch {
      if case .send(let reason) = error { return reason }
    }
    return nil
  }

  /// The reason for refusing a list of three for the second of them.
  private static func inTheMiddle(_ reason: SendError) -> SendError {
    guard case .badValue(let expected, let found) = reason else { return reason }
    return .badValue(expected: expected, found: "\(found), in value 2 of 3")
  }

  @Test(arguments: cases) func `a value that the file cannot take is refused to its sender, and may be sent again`(
    name: String, value: JSONValue, reason: SendError
  ) throws {
    let host = try host()
    let good = try #require(Self.good[name])
    #expect(try refusal(of: .value(.value(value)), to: name, in: host) == reason)
    // A list is validated as a whole.
    let list = [good, value, good].map { Payload.value($0) }
    #expect(try refusal(of: .values(list), to: name, in: host) == Self.inTheMiddle(reason))
    let signal = try #require(host.main.signal(named: name))
    #expect(throws: DurableGraphs.Refusal.self) { try host.present.beginSlices(of: list, to: signal, message: "m") }
    host.send(good, to: name, message: "m")
    host.settle()
    #expect(host.answers == ["m 1"])
    try host.kill()
    #expect(host.told(of: name).count == 1)
  }

  @Test func `a value from an ordinary graph that the file cannot take is reported`() throws {
    let host = try host()
    host.send(5, to: "o.in")
    host.send("a", to: "o.in")
    host.settle()
    #expect(host.refusals.map(\.failure.message) == ["g.t takes a string, not a number"])
    #expect(host.told(of: "g.t") == [#"g.t 1 "a""#])
  }

  /// The name depends on the clock, which is that of the last entry when a value is checked.
  private static let timed = yaml(
    #"t: {file: {folder: /n, name: 'if now < 100 then "a" else "../x" end', format: json, write: true}, replay: 9}"#)
  private static let reason = "\"../x\" is not a valid path below /n"

  @Test(arguments: ["o.in", "g.t"]) func `a value that was checked and is refused nevertheless is reported`(
    name: String
  ) throws {
    let host = try DurableHost(yaml: Self.timed, microseconds: 0)
    host.send(1, to: name)
    host.settle()
    host.pass(.seconds(200))
    host.send(2, to: name)
    host.settle()
    #expect(host.told(of: "g.t") == ["g.t 1 1"])
    #expect(host.refusals.map(\.failure) == [SignalFailure(code: "file", message: Self.reason)])
    #expect(host.refusals.map(\.signal) == ["g.t"])
    #expect(host.refusals.map(\.operatorName) == ["file"])
    #expect(host.refusals.map(\.value) == [2])
    #expect(host.main.signal(named: "g.t")?.losses.errors == 1)
    // It is counted in the state, and not reported again.
    try host.kill()
    #expect(host.refusals.count == 1)
    #expect(host.main.signal(named: "g.t")?.losses.errors == 1)
  }

  @Test func `the values behind a refused one of a list are reported, too`() throws {
    let host = try DurableHost(yaml: Self.timed, microseconds: 0)
    host.send(1, to: "g.t")
    host.settle()
    host.pass(.seconds(200))
    let signal = try #require(host.main.signal(named: "g.t"))
    try host.present.send(
      .values([2, 3].map { Payload.value($0) }), to: signal, message: nil, from: nil, reply: .answer { _ in })
    host.settle()
    #expect(host.told(of: "g.t") == ["g.t 1 1"])
    #expect(
      host.refusals.map(\.failure.message) == [Self.reason, "an earlier value of the same list was refused"])
    #expect(host.refusals.map(\.value) == [2, 3])
    #expect(signal.losses.errors == 2)
  }

  @Test(arguments: [false, true]) func `a log of an earlier version that has such values leads to what it led to`(
    hasSnapshot: Bool
  ) throws {
    let host = try host()
    let place = try #require(host.present.durable.place(of: "g.t"))
    host.present.enter(.value(.value(5), to: place, message: "one"))
    host.present.enter(.values(["a", 5, "b"].map { Payload.value($0) }, to: place, message: "two"))
    host.settle()
    if hasSnapshot { host.present.takeSnapshot() }
    try host.kill()
    host.send("c", to: "g.t", message: "one")
    host.send("c", to: "g.t", message: "two")
    host.send("c", to: "g.t", message: "three")
    host.settle()
    #expect(host.answers == ["one - again", "two 1 again", "three 2"])
    #expect(host.told(of: "g.t") == [#"g.t 1 "a""#, #"g.t 2 "c""#])
  }
}
