import CAllocations
import GraphEngine
import GraphModel
import GraphTools
import JSON
import ReactiveCore

/// The cost of saving the state of a number of signals, and of restoring it.
struct StateFigures {
  let signals: Int
  /// Bytes of saved state per signal.
  let size: Double
  /// Milliseconds to save all, and to rebuild and restore all.
  let save: Double
  let resume: Double
  /// Additional bytes for an idle signal with saved state.
  let kept: Double
  /// Nanoseconds of a turn that involves two signals with saved state.
  let turn: Double

  init(signals count: Int) throws {
    signals = count
    let configuration = try GraphFigures.read(GraphText.mixed(count))
    let rehearsal = Rehearsal(configuration, keepsState: true)
    rehearsal.runtime.start()
    try Self.fill(rehearsal)
    size = Double(rehearsal.runtime.state().count) / Double(count)
    save = median(of: (0..<9).map { _ in GraphFigures.milliseconds { sink += rehearsal.runtime.state().count } })
    resume = median(
      of: try (0..<9).map { _ in
        let saving = GraphFigures.milliseconds { sink += rehearsal.runtime.state().count }
        return try GraphFigures.milliseconds { try rehearsal.startAgain() } - saving
      })
    let derived = try GraphFigures.read(GraphText.derived(count) { _ in ".v" })
    kept = (Self.memory(of: derived, true) - Self.memory(of: derived, false)) / Double(count)
    turn = try Self.turn()
  }

  /// Sends every input a value to remember.
  private static func fill(_ rehearsal: Rehearsal) throws {
    let reading = try JSONParser.value(onThisThread: Array(#"{"unit":"C","value":21.5}"#.utf8).span)
    for _ in 0..<10 {
      for signal in rehearsal.runtime.signals where signal.acceptsValues {
        try? rehearsal.runtime.send(.value(reading), to: signal)
      }
    }
  }

  private static func memory(of configuration: Configuration, _ keepsState: Bool) -> Double {
    let before = signalbox_allocated_bytes()
    let rehearsal = Rehearsal(configuration, keepsState: keepsState)
    rehearsal.runtime.start()
    let after = signalbox_allocated_bytes()
    sink += rehearsal.runtime.signals.count
    return Double(after - before)
  }

  private static func turn() throws -> Double {
    let rehearsal = Rehearsal(
      try GraphFigures.read(
        "signalbox: 1\ngraphs:\n  touched: {signals: {in: {input: {}}, out: {from: in, pipe: [{map: . + 1}]}}}\n"),
      keepsState: true)
    rehearsal.runtime.start()
    guard let input = rehearsal.runtime.signal(named: "touched.in") else { return .nan }
    return median(100_000) {
      { events in for number in 0..<events { try? rehearsal.runtime.send(.value(.number(Double(number))), to: input) } }
    }
  }
}

func printState() throws {
  print("signals   bytes of state a signal   save ms   resume ms   bytes more of an idle signal   turn ns")
  for count in [100, 1_000, 10_000] {
    let found = try StateFigures(signals: count)
    print(
      column(Double(found.signals), 7, digits: 0) + column(found.size, 26, digits: 0) + column(found.save, 10)
        + column(found.resume, 12) + column(found.kept, 31, digits: 0) + column(found.turn, 10, digits: 0))
  }
}
