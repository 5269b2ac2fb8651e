import Foundation
import GraphModel
import JSON
import Signals
import StateLog
import TestSupport
import Testing

@testable import Persistence

/// The history of durable graphs, printed as tests.
struct HistoryTestTests: HistoryTesting {
  @Test func `a span becomes a test that its graph passes, and another threshold fails`() throws {
    let host = try DurableHost(Self.room)
    host.send(30, to: "room.limit")
    host.advance(by: .seconds(10))
    host.send(20, to: "room.raw")
    host.advance(by: .seconds(3))
    host.send(31, to: "room.raw")
    host.advance(by: .seconds(2))
    host.advance(by: .seconds(1))
    let test = try Self.test(host, since: .seconds(9), until: .seconds(16))
    #expect(
      test.lines.joined(separator: "\n") == """
              - name: it was so
                values: {a: 30, b: 20, c: 31}
                # held at 2023-11-14T22:13:29.000000Z
                # recorded from 2023-11-14T22:13:29.000000Z
                given:
                  limit: "a-------"
                  raw:   "-b--c---"
                expect:
                  hot: "---f--t-"
        """)
    #expect(try Self.failures(of: test, in: Self.room) == [])
    #expect(try Self.failures(of: test, in: Self.room, restarts: true) == [])
    let changed = Self.room.replacingOccurrences(of: ".t > .limit", with: ".t > .limit + 2")
    #expect(try !Self.failures(of: test, in: changed).isEmpty)
  }

  @Test func `a value that a debounce holds when the span begins is given before it`() throws {
    let host = try DurableHost(Self.room)
    host.advance(by: .seconds(10))
    host.send(20, to: "room.raw")
    host.advance(by: .seconds(5))
    host.send(31, to: "room.raw")
    host.advance(by: .seconds(1))
    host.advance(by: .seconds(3))
    let text = try Self.passing(host, Self.room, since: .seconds(16), until: .seconds(19))
    #expect(text.contains("hot"))
  }

  @Test func `what a scan remembers is given with all that entered before`() throws {
    let graphs = """
      meter:
        durable: {history: {for: 7d}}
        signals:
          pulse: {input: {}}
          total: {from: pulse, pipe: [{scan: {initial: 0, next: "$state + ."}}], hold: true}
      """
    let host = try DurableHost(graphs)
    for value in 1...9 {
      host.advance(by: .seconds(1))
      host.send(.number(Double(value)), to: "meter.pulse")
    }
    let text = try Self.passing(host, graphs, since: .seconds(8), until: .seconds(9))
    #expect(text.contains("total"))
  }

  @Test func `what came before all that is kept is reported as the first difference`() throws {
    let graphs = """
      meter:
        durable: true
        signals:
          pulse: {input: {}}
          total: {from: pulse, pipe: [{scan: {initial: 0, next: "$state + ."}}], hold: true}
          big: {from: pulse, pipe: [{filter: . > 2}]}
      """
    let host = try DurableHost(graphs)
    host.send(1, to: "meter.pulse")
    try host.killOnceWritten()
    host.advance(by: .seconds(1))
    host.send(2, to: "meter.pulse")
    host.send(3, to: "meter.pulse")
    try host.waitUntilOneSnapshotIsLeft()
    let message = Self.message { () throws(HistoryTest.Refusal) in try Self.test(host) }
    #expect(message.contains("meter.total emitted 3, but 2 in the test"), "\(message)")
    let text = try Self.passing(host, graphs, "meter.big")
    #expect(text.contains("big"))
  }

  @Test func `an interval ticks by itself where it can, else the test sends its ticks`() throws {
    let graphs = """
      clock:
        durable: {history: {for: 7d}}
        signals:
          raw: {input: {}}
          tick: {interval: 10s}
          sampled: {from: raw, pipe: [{sample: {on: tick}}]}
          late: {timer: {after: 15s}}
          both: {merge: [raw, late], pipe: [{map: ". + 1"}]}
      """
    let host = try DurableHost(graphs)
    for value in 1...8 {
      host.advance(by: .milliseconds(3300))
      host.send(.number(Double(value)), to: "clock.raw")
    }
    let own = try Self.passing(host, graphs, until: .seconds(26))
    #expect(!own.contains("stubs"))
    let later = try Self.passing(host, graphs, since: .seconds(12), until: .seconds(26))
    #expect(later.contains("stubs: [tick, late]"))
  }

  @Test func `what other graphs emit is sent by stubs, past their pipes`() throws {
    let graphs = """
      plant:
        signals:
          raw: {input: {}}
          plain: {input: {}}
          celsius: {from: raw, pipe: [{map: .value}], hold: true}
          piped: {input: {}, pipe: [{map: ". * 10"}]}
      room:
        durable: {history: {for: 7d}}
        signals:
          hot: {from: plant.celsius, pipe: [{filter: . > 25}]}
          sum: {merge: [plant.piped, plant.plain], pipe: [{map: ". + 1"}]}
      """
    let host = try DurableHost(graphs)
    host.advance(by: .seconds(1))
    host.send(["value": 30], to: "plant.raw")
    host.settle()
    host.send(["value": 20], to: "plant.raw")
    host.advance(by: .seconds(1))
    host.send(2, to: "plant.piped")
    host.send(3, to: "plant.plain")
    host.advance(by: .seconds(1))
    let text = try Self.passing(host, graphs)
    #expect(text.contains("stubs: [plant.celsius, plant.piped]"))
  }

  @Test(arguments: ["a reload", "a start", "a restart"])
  func `a change in the midst of a span is in the test with its moment`(_ change: String) throws {
    let graphs = """
      room:
        durable: {history: {for: 7d}}
        signals:
          raw: {input: {endable: true}}
          first: {from: raw, pipe: [{take: 1}], hold: true}
          all: {from: raw}
      """
    let host = try DurableHost(graphs)
    host.advance(by: .seconds(1))
    host.send(1, to: "room.raw")
    host.advance(by: .seconds(1))
    switch change {
    case "a reload": try host.reload(graphs.replacingOccurrences(of: "take: 1", with: "take: 2"))
    case "a start": try host.kill(passing: .seconds(1))
    default:
      host.end("room.raw", with: .completed)
      host.settle()
      host.restart("room.raw")
      host.settle()
    }
    host.advance(by: .seconds(2))
    host.send(2, to: "room.raw")
    host.advance(by: .seconds(1))
    let message = Self.message { () throws(HistoryTest.Refusal) in try Self.test(host) }
    #expect(message.contains(/(restarted|reloaded) at 2023-11-14T22:13:2[23]/), "\(message)")
    let before = try Self.passing(host, graphs, until: .milliseconds(1500))
    #expect(before.contains("first"))
    let after = try Self.passing(
      host, change == "a reload" ? graphs.replacingOccurrences(of: "take: 1", with: "take: 2") : graphs,
      since: .milliseconds(3500), "room.all")
    #expect(after.contains("all"))
  }
}
