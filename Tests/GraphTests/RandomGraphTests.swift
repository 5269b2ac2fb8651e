import Foundation
import GraphEngine
import GraphModel
import GraphStories
import TestSupport
import Testing

/// Random graphs emit, turn by turn, the results of a naive engine.
///
/// `RANDOM_GRAPHS` is the number of additional ones.
@Suite struct RandomGraphTests {
  @Test(arguments: RandomSeeds.first(16, further: "RANDOM_GRAPHS"))
  func `a random graph agrees with one that is recomputed from scratch after each turn`(seed: Int) throws {
    var random = SplitMix(seed: UInt64(seed))
    let graph = RandomGraph(count: Int.random(in: 8...50, using: &random), using: &random)
    var reference = ReferenceGraph(graph)
    let running = try TestGraph(signals: graph.yaml)
    var steps = ["the start"]
    try Self.expect(running, reference, since: 0, graph, steps)
    for _ in 0..<20 {
      let target = Int.random(in: 0...3, using: &random)
      guard !reference.hasEnded(target) else { continue }
      let event = Self.event(&random)
      steps.append("s\(target): \(event)")
      try running.carryOut(event, on: "s\(target)")
      let before = reference.send(event, to: target)
      try Self.expect(running, reference, since: before, graph, steps)
    }
  }

  private static func event(_ random: inout SplitMix) -> ReferenceGraph.Event {
    switch Int.random(in: 0..<40, using: &random) {
    case 0: .completed
    case 1: .failed
    default: .value(Int.random(in: 0..<100, using: &random))
    }
  }

  private static func expect(
    _ running: TestGraph, _ reference: ReferenceGraph, since turn: Int, _ graph: RandomGraph, _ steps: [String]
  ) throws {
    let said = running.saidBySignal()
    for index in graph.signals.indices {
      let expected = reference.made[index][turn...].joined().map { "\($0)" }
      let actual = said["s\(index)"] ?? []
      try #require(
        actual == expected, "s\(index) after \(steps.joined(separator: ", "))\n\(graph.yaml)")
    }
  }
}

extension ReferenceGraph.Event: CustomStringConvertible {
  var description: String {
    switch self {
    case .value(let number): "\(number)"
    case .completed: "completed"
    case .failed: "failed"
    }
  }
}

extension TestGraph {
  fileprivate func carryOut(_ event: ReferenceGraph.Event, on name: String) throws {
    switch event {
    case .value(let number): try send("\(number)", to: name)
    case .completed: try runtime.end(signal(name), with: .completed)
    case .failed: try runtime.end(signal(name), with: .failed(SignalFailure(code: "error", message: "")))
    }
  }

  /// Returns the events of each signal since the last query.
  fileprivate func saidBySignal() -> [String: [String]] {
    Dictionary(grouping: events()) { $0.signal }.mapValues { events in
      events.map { event in
        switch event.event {
        case .next(let payload, _): "\(payload)"
        case .ended(.failed): "failed"
        case .ended(let ending): "\(ending)"
        }
      }
    }
  }
}
