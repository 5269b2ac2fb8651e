import Base
import GraphModel
import JSON
import ReactiveTesting

/// Reads `given` and `expect`: a diagram per signal.
struct MarbleRows {
  let signals: TestSignals
  let letters: MarbleValues
  let tick: Duration
  let context: ReadingContext

  /// Reads the steps of `given`, column by column, each in the order of the rows.
  func readGiven(_ node: ConfigNode, into plan: inout TestPlan) {
    for entry in node.entries ?? [] {
      let signal = signals.source(entry.key, context.problems)
      guard let diagram = diagram(entry.value), let signal else { continue }
      for (column, mark) in diagram.marks {
        plan.act(action(mark, on: signal), at: tick * column, entry.value.place)
      }
      plan.last(to: end(of: diagram))
    }
  }

  /// Reads the expectations of `expect`.
  func readExpected(_ node: ConfigNode, into plan: inout TestPlan) {
    for entry in node.entries ?? [] {
      let label = entry.name
      if signals.meansCalls(label, plan) {
        readCalls(entry.value, into: &plan)
        continue
      }
      let subject = plan.hasSubscriber(label) ? label : signals.find(entry.key, context.problems)
      guard let diagram = diagram(entry.value), let subject else { continue }
      expect(diagram, of: subject, as: label, entry.value.place, into: &plan)
    }
  }

  /// Reads the expectations of `expect: {call: {…}}`: the values and times of calls to an action.
  private func readCalls(_ node: ConfigNode, into plan: inout TestPlan) {
    guard let entries = node.entries else {
      return context.reader(node).refuse(expected: "{action: diagram}")
    }
    for entry in entries {
      guard let action = signals.action(entry.key, context.problems), let diagram = diagram(entry.value) else {
        continue
      }
      guard diagram.marks.allSatisfy({ $0.mark.isValue }) else {
        context.problems.error("a call has a value, not an ending: use letters and digits", at: entry.value)
        continue
      }
      expect(
        diagram, of: Expectation.calls(of: action), as: "call of \(entry.name)", entry.value.place, into: &plan)
    }
  }

  private func expect(
    _ diagram: MarbleDiagram, of subject: String, as shown: String, _ place: Place, into plan: inout TestPlan
  ) {
    plan.watch(subject, as: shown, place)
    for (column, mark) in diagram.marks {
      plan.expect(letters.outcome(of: mark), of: subject, at: tick * column, place)
    }
    plan.last(to: end(of: diagram))
  }

  private func action(_ mark: MarbleDiagram.Mark, on signal: String) -> TestStep.Action {
    switch mark {
    case .value(let letter): .send(signal, letters.value(of: letter))
    case .completed: .end(signal, .completed)
    case .failed: .end(signal, .failed(letters.failure))
    case .interrupted: .end(signal, .interrupted)
    }
  }

  private func end(of diagram: MarbleDiagram) -> Duration { diagram.length(tick: tick) }

  private func diagram(_ node: ConfigNode) -> MarbleDiagram? {
    guard let diagram = DiagramReader.diagram(node, context) else { return nil }
    guard end(of: diagram) <= DurationText.longest else {
      context.problems.error(
        "with a tick of \(DurationText.written(tick)) this diagram is longer than "
          + "\(DurationText.written(DurationText.longest))", at: node)
      return nil
    }
    return diagram
  }
}

extension MarbleValues {
  /// Returns the event of a mark.
  func outcome(of mark: MarbleDiagram.Mark) -> ExpectedEvent.Outcome {
    switch mark {
    case .value(let letter): .value(value(of: letter))
    case .completed: .completed
    case .failed: .failed(code: failure.code)
    case .interrupted: .interrupted
    }
  }
}

extension MarbleDiagram.Mark {
  fileprivate var isValue: Bool {
    if case .value = self { true } else { false }
  }
}
