import CAllocations
import Glibc
import GraphCatalogue
import GraphEngine
import GraphModel
import GraphTools
import JSON
import ReactiveCore

/// The costs of graphs of a number of signals.
struct GraphFigures {
  let signals: Int
  /// Milliseconds to read a file and find every error, and to start all of it.
  let check: Double
  let load: Double
  /// Bytes per signal, declared and running.
  let declared: Double
  let running: Double
  /// Additional bytes if each has an expression of its own.
  let expression: Double
  /// Nanoseconds of a turn that involves two signals.
  let turn: Double

  init(signals count: Int) throws {
    signals = count
    let text = GraphText.mixed(count)
    check = median(of: try (0..<9).map { _ in try Self.milliseconds { _ = try Self.read(text) } })
    load = median(
      of: try (0..<9).map { _ in
        try Self.milliseconds {
          let rehearsal = Rehearsal(try Self.read(text))
          rehearsal.runtime.start()
        }
      })
    (declared, running) = try Self.memory(of: GraphText.derived(count) { _ in ".v" }, count)
    let different = try Self.memory(of: GraphText.derived(count) { ".v * 2 + \($0)" }, count)
    expression = different.declared - declared
    turn = try Self.turn(beside: text)
  }

  static func read(_ text: String) throws -> Configuration {
    let inputs = ConfigurationInputs(
      environment: { _ in nil }, readFile: { _, _ in .success(Array(text.utf8)) },
      listDirectory: { _ in .success([]) })
    return try Configuration.load(.alone("graphs.yaml"), inputs: inputs)
  }

  /// Milliseconds of this thread's processor time for some work.
  static func milliseconds(_ work: () throws -> Void) rethrows -> Double {
    let start = nanoseconds(of: CLOCK_THREAD_CPUTIME_ID)
    try work()
    return (nanoseconds(of: CLOCK_THREAD_CPUTIME_ID) - start) / 1e6
  }

  /// Bytes for each of many idle signals that are computed from one.
  private static func memory(of text: String, _ count: Int) throws -> (declared: Double, running: Double) {
    let atFirst = signalbox_allocated_bytes()
    let configuration = try read(text)
    let declared = signalbox_allocated_bytes()
    let rehearsal = Rehearsal(configuration)
    rehearsal.runtime.start()
    let running = signalbox_allocated_bytes()
    sink += rehearsal.runtime.signals.count
    return (Double(declared - atFirst) / Double(count), Double(running - declared) / Double(count))
  }

  private static func turn(beside text: String) throws -> Double {
    let more = "  touched: {signals: {in: {input: {}}, out: {from: in, pipe: [{map: . + 1}]}}}\n"
    let rehearsal = Rehearsal(try read(text + more))
    rehearsal.runtime.start()
    guard let input = rehearsal.runtime.signal(named: "touched.in") else { return .nan }
    return median(100_000) {
      { events in for number in 0..<events { try? rehearsal.runtime.send(.value(.number(Double(number))), to: input) } }
    }
  }
}

/// Configurations of many signals.
enum GraphText {
  /// Graphs of a hundred signals each; seven in ten are computed, through thirteen operators.
  static func mixed(_ count: Int) -> String {
    var text = "signalbox: 1\ngraphs:\n"
    for block in 0..<(count / 10) {
      if block % 10 == 0 { text += "  graph\(block / 10):\n    doc: Ten rooms\n    signals:\n" }
      text += room("r\(block % 10)")
    }
    return text
  }

  private static func room(_ name: String) -> String {
    """
          \(name)-raw: {input: {type: object}}
          \(name)-motion: {input: {}}
          \(name)-limit: {property: {initial: 25, type: number}}
          \(name)-celsius: {from: \(name)-raw, pipe: [{filter: .unit == "C"}, {map: .value}]}
          \(name)-smooth: {from: \(name)-celsius, pipe: [{window: {count: 5}}, {map: add / length}, skip_repeats], hold: true}
          \(name)-alarm:
            combine: {t: \(name)-smooth, limit: \(name)-limit}
            pipe: [{map: .t > .limit}, skip_repeats, {debounce: 2s}]
            replay: 10
          \(name)-moved: {from: \(name)-motion, pipe: [{debounce: 10m}, {map_to: false}], hold: {initial: false}}
          \(name)-count: {from: \(name)-motion, pipe: [{scan: {initial: 0, next: $state + 1}}]}
          \(name)-any: {merge: [\(name)-motion, \(name)-alarm]}
          \(name)-told: {from: \(name)-alarm, pipe: [{filter: .}, {throttle: 1m}], doc: What a person is told}

    """
  }

  /// Signals that are computed from one.
  static func derived(_ count: Int, _ expression: (Int) -> String) -> String {
    "signalbox: 1\ngraphs:\n  g:\n    signals:\n      in: {input: {}}\n"
      + (0..<count).map { "      s\($0): {from: in, pipe: [{map: \(expression($0))}]}\n" }.joined()
  }
}

/// Milliseconds for an hour of a graph with a timer a second.
func virtualHour() throws -> Double {
  let configuration = try GraphFigures.read(
    """
    signalbox: 1
    graphs:
      g:
        signals:
          tick: {interval: 1s}
          mean: {from: tick, pipe: [{window: {count: 60}}, {map: add / length}, skip_repeats], hold: true}
    """)
  return median(
    of: (0..<9).map { _ in
      GraphFigures.milliseconds {
        let rehearsal = Rehearsal(configuration)
        rehearsal.runtime.start()
        rehearsal.move(to: .seconds(3600))
        rehearsal.finishInstant()
      }
    })
}

func printGraphs() throws {
  print("signals   check ms   load ms   bytes a signal: declared   running   an expression   turn ns")
  for count in [100, 1_000, 10_000] {
    let found = try GraphFigures(signals: count)
    print(
      column(Double(found.signals), 7, digits: 0) + column(found.check, 11) + column(found.load, 10)
        + column(found.declared, 26, digits: 0) + column(found.running, 10, digits: 0)
        + column(found.expression, 16, digits: 0)
        + column(found.turn, 10, digits: 0))
  }
  print("an hour of virtual time with a timer a second: \(column(try virtualHour(), 0)) ms")
}
