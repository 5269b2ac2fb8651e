import Foundation
import GraphEngine
import GraphModel
import JSON
import Signals
import StateLog
import TestSupport
import Testing

@testable import Persistence

/// The contents of generated history tests.
struct HistoryContentTests: HistoryTesting {
  @Test func `endings and failures of inputs and of what is computed are in the test`() throws {
    let graphs = """
      room:
        durable: {history: {for: 7d}}
        signals:
          raw: {input: {endable: true}}
          other: {input: {endable: true}}
          checked: {from: raw, on_error: fail, pipe: [{map: .a + 1}]}
          both: {merge: [raw, other]}
          quiet: {from: other}
      """
    let host = try DurableHost(graphs)
    host.advance(by: .seconds(1))
    host.end("room.other", with: .failed(SignalFailure(code: "gone", message: "a \"message\"")))
    host.advance(by: .seconds(1))
    host.send(["a": 1], to: "room.raw")
    host.advance(by: .milliseconds(1234))
    host.send("x", to: "room.raw")
    host.end("room.raw", with: .interrupted)
    host.advance(by: .seconds(1))
    let whole = try Self.passing(host, graphs)
    #expect(whole.contains("failed"))
    let later = try Self.passing(host, graphs, since: .milliseconds(1500), "room.checked", "room.quiet")
    #expect(later.contains("checked"))
  }

  @Test func `values keep their text whatever is in it`() throws {
    let graphs = """
      room:
        durable: {history: {for: 7d}}
        signals:
          raw: {input: {}}
          same: {from: raw, pipe: [skip_repeats]}
      """
    let host = try DurableHost(graphs)
    let values: [JSONValue] = [
      "${HOME}", "$${x} $$${y", "a: b", "# no", "- a", "null", "~", "1", "0x1F", "12:30", "", " ", "a ", "yes",
      "é\u{1F600}",
      "\u{85}\u{2028}\u{feff}\u{7f}\u{0}\t\r\n\\\"'", "2026-01-01", "=", "<<", "*a", "&a", "!t", "%", "@", "`", "t",
      "5",
      ["${a}": "${b}", "": [], "a b": [:], "x: y": [nil, true, 1e300, -0.5], "null": nil, "#": "{}[],"], 12_345_678_901,
    ]
    for value in values {
      host.send(value, to: "room.raw")
      host.advance(by: .milliseconds(1))
    }
    var parser = JSONParser()
    for text in ["1.10", "1E2", "12345678901234567890", "\"\\u00e9\"", "[1.0,{\"a\":1.50}]"] {
      host.send(try parser.value(of: Array(text.utf8).span), to: "room.raw")
      host.advance(by: .milliseconds(1))
    }
    let text = try Self.passing(host, graphs)
    #expect(text.contains("script"))
  }

  @Test func `groups, private signals and several graphs are in the test by their names`() throws {
    let graphs = """
      room:
        durable: {history: {for: 7d}}
        signals:
          raw: {input: {}, access: {send: ["uid:77"]}}
          hidden: {from: raw, private: true}
          rooms: {from: hidden, pipe: [{group_by: {key: .room, max_keys: 9, pipe: [{map: .t}, {debounce: 1s}, pairwise]}}]}
      hall:
        durable: true
        signals:
          raw: {input: {}}
          last: {from: room.rooms, pipe: [{map: '.[1]'}]}
      """
    let host = try DurableHost(graphs)
    for (room, value) in [("a", 1), ("b", 2), ("a", 3), ("b", 4), ("a", 5)] as [(String, Double)] {
      host.send(["room": .string(room), "t": .number(value)], to: "room.raw")
      host.advance(by: .milliseconds(700))
    }
    host.advance(by: .seconds(2))
    host.send(["room": "a", "t": 9], to: "room.raw")
    host.advance(by: .seconds(2))
    #expect(
      Self.message { () throws(HistoryTest.Refusal) in try Self.test(host) }.contains("2 durable graphs, room, hall"))
    let text = try Self.passing(host, graphs, since: .seconds(5), until: .seconds(8), "room.*", "hall.*")
    #expect(
      !text.contains("hidden") && text.contains("hall.last") && text.contains("# belongs to the tests of graph room"))
    #expect(try Self.passing(host, graphs, since: .seconds(5), "room.hidden").contains("hidden"))
    let unknown = Self.message { () throws(HistoryTest.Refusal) in try Self.test(host, "room.hide*") }
    #expect(unknown == "unknown room.hide* among room.raw, room.rooms, hall.raw, hall.last")
  }

  @Test func `times are as fine as the outcome asks for`() throws {
    let host = try DurableHost(Self.room)
    host.send(20, to: "room.raw")
    host.advance(by: .seconds(5))
    host.advance(by: .nanoseconds(400_017))
    host.send(31, to: "room.raw")
    host.advance(by: .nanoseconds(2_000_200_000))
    host.send(20, to: "room.raw")
    host.advance(by: .nanoseconds(2_000_000_000))
    let text = try Self.passing(host, Self.room)
    #expect(text.contains("at: 7s600us17ns"))
  }

  @Test func `nothing in a span is no test, unless a signal is named that is silent`() throws {
    let host = try DurableHost(Self.room)
    host.advance(by: .seconds(5))
    host.send(20, to: "room.raw")
    host.advance(by: .seconds(2))
    host.advance(by: .seconds(3))
    let message = Self.message { () throws(HistoryTest.Refusal) in
      try Self.test(host, since: .seconds(1), until: .seconds(2))
    }
    #expect(message.hasPrefix("no values emitted"))
    let silent = try Self.passing(host, Self.room, since: .seconds(1), until: .seconds(2), "room.hot")
    #expect(silent.contains("hot: \"--\""))
    let early = try Self.passing(host, Self.room, since: .seconds(-100), until: .seconds(8))
    #expect(early.contains("recorded from 2023-11-14T22:13:20.000000Z"))
  }

  @Test func `programs and files are stubs, and what has now in it is refused`() throws {
    let graphs = """
      room:
        durable: {history: {for: 7d}}
        signals:
          lines: {tail: /log, pipe: [{filter: length > 1}]}
          raw: {input: {}}
          errors: {from: lines, pipe: [{filter: 'startswith("E")'}]}
          stamped: {from: raw, pipe: [{map: now}]}
      """
    let host = try DurableHost(graphs)
    host.advance(by: .seconds(1))
    host.world.append("Eins\nzwei\nE\nEnde\n", to: "/log")
    host.advance(by: .seconds(1))
    host.send(1, to: "room.raw")
    host.advance(by: .seconds(1))
    let text = try Self.passing(host, graphs, "room.errors")
    #expect(text.contains("stubs: [lines]"))
    #expect(
      Self.message { () throws(HistoryTest.Refusal) in try Self.test(host) }.contains("room.stamped emitted 1700000002")
    )
  }

  @Test func `values that come together are steps of their own, and sends within the graph are none`() throws {
    let graphs = """
      room:
        durable: {history: {for: 7d}}
        signals:
          raw: {input: {}, pipe: [{map: ". * 2"}]}
          relay: {from: raw, pipe: [{filter: . > 4}, {send_to: kept}]}
          kept: {property: {initial: 0}}
          sum: {combine: {a: raw, b: kept}, pipe: [{map: .a + .b}]}
          again: {from: kept, pipe: [{delay: 10ms}]}
          asked: {from: sum, lazy: true}
      """
    let host = try DurableHost(graphs)
    host.advance(by: .seconds(1))
    let raw = try #require(host.main.signal(named: "room.raw"))
    host.send(.values([.value(1), .value(3), .value(4)]), to: raw, message: nil)
    host.settle()
    for _ in 0..<4 { host.advance(by: .milliseconds(5)) }
    host.send(2, to: "room.kept")
    for _ in 0..<4 { host.advance(by: .milliseconds(5)) }
    let whole = try Self.passing(host, graphs)
    #expect(whole.contains("raw") && whole.contains("kept:") && whole.contains("again") && !whole.contains("asked"))
    let later = try Self.passing(host, graphs, since: .milliseconds(1019), "room.again")
    #expect(later.contains("again"))
  }

  @Test func `what actions and the daemon itself emit is sent by stubs`() throws {
    let graphs = """
      room:
        durable: {history: {for: 7d}}
        signals:
          raw: {input: {}}
          refused: {from: raw, pipe: [{map: .a.b}]}
          faults: {from: signalbox.errors, pipe: [{map: .signal}]}
          fans: {from: fan.executing, pipe: [{map: not}]}
        actions: {fan: {exec: [/bin/true]}}
      """
    let host = try DurableHost(graphs)
    host.advance(by: .seconds(1))
    host.send(1, to: "room.raw")
    host.advance(by: .seconds(1))
    host.settle()
    let text = try Self.passing(host, graphs)
    #expect(text.contains("stubs: [fan.executing, signalbox.errors]"))
  }

  @Test func `a beginning goes back over the snapshots that were taken meanwhile, and over none of a reload`() throws {
    let graphs = """
      meter:
        durable: {history: {for: 80s}}
        signals:
          pulse: {input: {}}
          big: {input: {}}
          total: {from: pulse, pipe: [{scan: {initial: 0, next: "$state + ."}}]}
          seen: {from: big, pipe: [{scan: {initial: 0, next: "$state + 1"}}]}
      """
    let host = try DurableHost(graphs)
    host.send(1, to: "meter.big")
    host.settle()
    try host.reload(
      graphs.replacingOccurrences(of: "initial: 0, next: \"$state + .\"", with: "initial: 1, next: \"$state + .\""))
    for value in 1...6 {
      host.advance(by: .seconds(11))
      host.send(.number(Double(value)), to: "meter.pulse")
      host.settle()
      // No snapshot is taken while the previous one is being written.
      host.waitUntilWriterRests()
    }
    host.send(1, to: "meter.big")
    host.settle()
    let changed = graphs.replacingOccurrences(
      of: "initial: 0, next: \"$state + .\"", with: "initial: 1, next: \"$state + .\"")
    let folder = try host.copyOfState()
    #expect(try FolderReader(folder.path).snapshots().count > 5)
    let text = try Self.passing(host, changed, since: .seconds(60), "meter.total")
    #expect(text.contains("22") && !text.contains("big"))
    let message = Self.message { () throws(HistoryTest.Refusal) in
      try Self.test(host, since: .seconds(60), "meter.seen")
    }
    #expect(message.contains("meter.seen emitted 2, but 1 in the test"), "\(message)")
  }
}
