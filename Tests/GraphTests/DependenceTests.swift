import JSON
import ReactiveTesting
import Signals
import TestSupport
import Testing

@testable import GraphCatalogue
@testable import GraphEngine
@testable import GraphModel
@testable import GraphTools

/// The dependence of an operator's outputs on earlier inputs, derived by leaving inputs out.
@Suite struct DependenceTests {
  private static let runs = TestAmount.scaled(10)

  /// Their results also depend on endings and timers of inputs without outputs.
  ///
  /// `why` tries the declared inputs, and adds more where they do not suffice. So it does for `window` with
  /// `emit: both`, for values that have left.
  private static let widened: Set = ["concat", "debounce", "delay", "delay_start", "flat_map", "merge"]

  @Test(arguments: Catalogue.operators.map(\.name).filter { !widened.contains($0) })
  func `what a declaration names suffices for each output of random inputs`(name: String) throws {
    let example = try #require(Catalogue.operator(named: name)).example
    for seed in 1...Self.runs {
      let trial = try DependenceTrial(example, seed: seed)
      if let failure = try trial.failure(assuming: nil) { Issue.record("\(name), seed \(seed): \(failure)") }
    }
  }
}

/// The example of an operator with random inputs, and the results of some of them.
private struct DependenceTrial {
  private struct Input {
    let time: Double
    let name: String
    let mark: MarbleDiagram.Mark
  }

  private struct Output: Equatable {
    let time: Duration
    let event: SignalEvent

    static func == (one: Output, other: Output) -> Bool {
      one.time == other.time && one.event.isSame(as: other.event)
    }
  }

  private let configuration: Configuration
  private let values: ExampleValues
  private let inputs: [Input]
  private static let length = 14

  init(_ example: OperatorExample, seed: Int) throws {
    values = try ExampleValues(example.values)
    let names = example.given.keys.filter { $0 != "in" || !example.isCold }.sorted()
    let programs = example.programs.keys.sorted()
    let signals =
      names.map { "\($0): {input: {endable: true}}" } + ["out: {\(example.source), pipe: [{\(example.item)}]}"]
    let actions = programs.map { "\($0): {exec: [\($0)]}" }.joined(separator: ", ")
    configuration = try TestGraph.configuration(signals: signals.joined(separator: "\n"), actions: "{\(actions)}")
    var random = SplitMix(seed: UInt64(seed))
    var inputs: [Input] = []
    for name in names + programs {
      let diagram = try MarbleDiagram(parsing: example.given[name] ?? example.programs[name] ?? "")
      let marks = diagram.columns.flatMap(\.self)
      let letters = marks.filter { !$0.isEnding }
      let end = marks.last(where: \.isEnding)
      let last = Int.random(in: 3..<Self.length, using: &random)
      for column in 0..<last where Int.random(in: 0..<10, using: &random) < 6 {
        guard let letter = letters.randomElement(using: &random) else { continue }
        inputs.append(Input(time: Double(column), name: name, mark: letter))
      }
      if let end { inputs.append(Input(time: Double(last), name: name, mark: end)) }
    }
    // Stable: inputs of one instant are in the order of their signals.
    self.inputs = inputs.enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }
      .map(\.element)
  }

  /// Returns an output that is not reproduced, at its time, by the inputs named for it.
  func failure(assuming dependence: Dependence?) throws -> String? {
    for output in try play(recorder: ProvenanceRecorder()) {
      let target: Explainer.Target = output.event.sequence.map { .number($0) } ?? .ending
      var explainer = Explainer("g.out", target, DeclarationsInView(configuration))
      explainer.assumedDependence = dependence
      let needed = try Set(explainer.needed { recorder, _ in _ = try play(recorder: recorder) })
      let again = try play(recorder: nil) { needed.contains($0) }
      if !again.contains(output) {
        let named = inputs.indices.filter(needed.contains).map { "\(inputs[$0])" }.joined(separator: ", ")
        return "\(output) does not come of [\(named)] alone, but \(again)"
      }
    }
    return nil
  }

  private func play(recorder: ProvenanceRecorder?, where isWanted: (Int) -> Bool = { _ in true }) throws -> [Output] {
    let rehearsal = Rehearsal(configuration, keepsState: true, recorder: recorder)
    var outputs: [Output] = []
    let runtime = rehearsal.runtime
    let subscription = rehearsal.subscribe(to: try #require(runtime.signal(named: "g.out"))) { [unowned rehearsal] in
      outputs.append(Output(time: rehearsal.now, event: $0))
    }
    func enter(_ entry: Int, _ body: () throws -> Void) throws {
      if let recorder { try recorder.enter(entry, body) } else { try body() }
    }
    try enter(-1) { runtime.start() }
    for (number, input) in inputs.enumerated() where isWanted(number) {
      try enter(-1) { rehearsal.move(to: .seconds(input.time)) }
      try enter(number) { try play(input, rehearsal) }
    }
    try enter(-1) {
      rehearsal.move(to: .seconds(2 * Self.length))
      rehearsal.finishInstant()
    }
    withExtendedLifetime(subscription) {}
    return outputs
  }

  private func play(_ input: Input, _ rehearsal: Rehearsal) throws {
    let name = "g.\(input.name)"
    // A program has no output unless it was called, and nothing is sent to an ended signal.
    if let action = rehearsal.runtime.engine.actions[name] {
      guard action.isExecuting else { return }
    } else if rehearsal.runtime.signal(named: name)?.ending != nil {
      return
    }
    switch input.mark {
    case .value(let letter): try rehearsal.send(values.value(of: letter), to: name)
    case .completed: try rehearsal.end(name, with: .completed)
    case .failed: try rehearsal.end(name, with: .failed(SignalFailure(code: "error", message: "")))
    case .interrupted: try rehearsal.end(name, with: .interrupted)
    }
  }
}
