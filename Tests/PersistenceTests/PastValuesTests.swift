import GraphModel
import JSON
import StateLog
import TestSupport
import Testing

@testable import Persistence

/// The values of durable signals over a period, from the log.
@Suite struct PastValuesTests {
  private static let beginning: Int64 = 1_700_000_000_000_000
  private static let graphs = """
    room:
      durable: {history: {for: 7d}}
      signals:
        raw: {input: {endable: true}}
        twice: {from: raw, pipe: [{map: . * 2}], hold: true}
        other: {input: {}}
        quiet: {property: {initial: 1}}
    """

  private let host: DurableHost

  init() throws {
    host = try DurableHost(Self.graphs)
    for value in 1...10 {
      host.advance(by: .seconds(1))
      host.send(.number(Double(value)), to: "room.raw")
      host.settle()
    }
  }

  /// Returns the samples as `value at second`, of two signals after their names.
  private func past(
    _ signals: [String] = ["room.twice"], from: Double = 0, until: Double = 1e6, step: Int64? = nil,
    keepsExtremes: Bool = false, isOver: @escaping () -> Bool = { false }
  ) throws -> (texts: [String], past: PastValues) {
    let copy = try host.copyOfState()
    defer { withExtendedLifetime(copy) {} }
    let moment = { (seconds: Double) in Self.beginning + Int64(seconds * 1e6) }
    let past = try PastValues(
      of: signals, in: moment(from)...moment(until), step: step, keepsExtremes: keepsExtremes,
      from: try FolderReader(copy.path), until: isOver)
    let texts = past.samples.map { sample in
      let seconds = Double(sample.microseconds - Self.beginning) / 1e6
      let name = signals.count > 1 ? "\(sample.signal) " : ""
      guard case .next(let payload, _) = sample.event else { return "\(name)end at \(Int(seconds))" }
      return "\(name)\(payload.value) at \(Int(seconds))"
    }
    return (texts, past)
  }

  @Test func `are all of a period, with the one held at its beginning`() throws {
    let (texts, past) = try past(from: 0.5)
    #expect(texts == (1...10).map { "\($0 * 2) at \($0)" })
    #expect(past.shortage == nil && past.pauses.isEmpty && past.begins == Self.beginning + 500_000)
  }

  @Test func `are the last ones of intervals`() throws {
    #expect(try past(step: 4_000_000).texts == ["6 at 3", "14 at 7", "20 at 10"])
    #expect(try past(["room.quiet"], step: 4_000_000).texts == ["1 at 0"])
  }

  @Test func `keep the lowest and the highest of intervals, also of one that extends over a restart`() throws {
    #expect(
      try past(step: 4_000_000, keepsExtremes: true).texts
        == ["2 at 1", "6 at 3", "8 at 4", "14 at 7", "16 at 8", "20 at 10"])
    for value in [90, 0.5, 4] { host.send(.number(value), to: "room.raw") }
    host.settle()
    try host.kill()
    host.send(3, to: "room.raw")
    host.settle()
    #expect(try past(step: 60_000_000, keepsExtremes: true).texts == ["180 at 10", "1 at 10", "6 at 10"])
  }

  @Test func `end with the period`() throws {
    #expect(try past(until: 3.5).texts == ["2 at 1", "4 at 2", "6 at 3"])
  }

  @Test func `are those of several signals, in the order of time`() throws {
    host.send(5, to: "room.other")
    host.settle()
    let (texts, _) = try past(["room.twice", "room.other"], from: 5, step: 60_000_000)
    #expect(texts == ["room.twice 20 at 10", "room.other 5 at 10"])
  }

  @Test func `go back over kills and reloads, with a pause where the daemon was down`() throws {
    try host.kill(passing: .seconds(60))
    host.advance(by: .seconds(1))
    host.send(11, to: "room.raw")
    host.settle()
    let (texts, past) = try past()
    #expect(texts.last == "22 at 71" && texts.count == 11)
    #expect(
      past.pauses == [PastValues.Pause(from: Self.beginning + 10_000_000, until: Self.beginning + 70_000_000)])
    let lines = past.lines.map { String(decoding: $0, as: UTF8.self) }
    #expect(lines.first == #"{"event":"begin","at":"2023-11-14T22:13:20.000000Z"}"#)
    #expect(
      lines[11] == #"{"event":"pause","at":"2023-11-14T22:13:30.000000Z","until":"2023-11-14T22:14:30.000000Z"}"#)
  }

  @Test func `a restart within two seconds is no pause`() throws {
    try host.kill(passing: .seconds(1))
    #expect(try past().past.pauses.isEmpty)
  }

  @Test func `contain ends`() throws {
    host.end("room.raw", with: .completed)
    host.settle()
    #expect(try past(["room.raw"]).texts.suffix(2) == ["10 at 10", "end at 10"])
    #expect(try past(["room.raw"], step: 60_000_000).texts == ["10 at 10", "end at 10"])
  }

  @Test func `begin where the log does, or where the time was up`() throws {
    #expect(try past(from: -100).past.shortage == .history)
    #expect(try past(from: -100).past.begins == Self.beginning)
    try host.kill()
    host.send(11, to: "room.raw")
    host.settle()
    var left = 3
    let (texts, past) = try self.past {
      left -= 1
      return left < 0
    }
    #expect(past.shortage == .time && texts.first == "20 at 10" && past.begins == Self.beginning + 10_000_000)
    #expect(try self.past { true }.texts.isEmpty)
  }

  @Test func `of an unknown signal are refused`() throws {
    do {
      _ = try past(["room.raw", "room.rwa"])
      Issue.record("answered")
    } catch LookingBack.Refusal.unknown(let names) {
      #expect(names.contains("room.raw") && !names.contains("room.rwa"))
    }
  }
}
