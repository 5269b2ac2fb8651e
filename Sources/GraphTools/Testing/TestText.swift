import Base
import GraphModel
import JSON
import ReactiveTesting

/// The text of a test under `tests`.
package struct TestText {
  package enum Form: CaseIterable, Sendable {
    /// Diagrams: all times are whole columns and few, and each event has a mark of its own.
    case marbles
    case script
  }

  /// The lines, indented as under the `tests` of a graph.
  package let lines: [String]

  /// - Returns: `nil` if the form cannot express the test.
  package init?(_ draft: TestDraft, expecting emissions: [String: [TestDraft.Emission]], as form: Form) {
    let names = TestNames(graph: draft.graph)
    var lines = ["- name: \(FlowText.text(of: .string(draft.name)))"]
    if !draft.stubs.isEmpty {
      lines.append("  stubs: [\(draft.stubs.map(names.text).joined(separator: ", "))]")
    }
    switch form {
    case .marbles:
      guard let marbles = TestMarbles(draft, emissions, names) else { return nil }
      lines += marbles.lines
    case .script: lines += TestScript(draft, emissions, names).lines
    }
    self.lines = lines.map { "      \($0)" }
  }

  /// Returns a file that adds the test to its graph.
  package func file(for graph: String) -> String {
    (["signalbox: 1", "graphs:", "  \(graph):", "    tests:"] + lines).map { $0 + "\n" }.joined()
  }
}

/// The names of signals as written in the tests of one graph.
struct TestNames {
  private let prefix: String

  init(graph: String) { prefix = graph + "." }

  func text(_ name: String) -> String {
    FlowText.key(name.hasPrefix(prefix) ? String(name.dropFirst(prefix.count)) : name)
  }
}

// MARK: - Script

/// The steps of a draft and their results, as a script.
private struct TestScript {
  private(set) var lines: [String] = []
  private let draft: TestDraft
  private let names: TestNames

  /// A step of the script: at most one event sent, and at most one event of each signal.
  private struct Item {
    let time: Duration
    var step: TestDraft.Step?
    var events: [(signal: String, event: SignalEvent)] = []
    var remarks: [String] = []
  }

  init(_ draft: TestDraft, _ emissions: [String: [TestDraft.Emission]], _ names: TestNames) {
    self.draft = draft
    self.names = names
    let items = Self.items(draft, emissions)
    if !items.isEmpty {
      lines.append("  script:")
      for item in items {
        lines += item.remarks.map { "    # \($0)" }
        if let text = text(of: item) { lines.append("    - \(text)") }
      }
    }
    let silent = draft.watched.filter { emissions[$0]?.isEmpty ?? true }
    if !silent.isEmpty {
      lines.append("  expect: {\(silent.map { "\(names.text($0)): \"-\"" }.joined(separator: ", "))}")
    }
    let last = items.last { $0.step != nil || !$0.events.isEmpty }?.time ?? .zero
    if draft.end > last { lines.append("  until: \(DurationText.written(draft.end))") }
  }

  private static func items(_ draft: TestDraft, _ emissions: [String: [TestDraft.Emission]]) -> [Item] {
    var events = draft.watched.flatMap { signal in (emissions[signal] ?? []).map { (signal, $0) } }.enumerated()
      .sorted { ($0.element.1.time, $0.element.1.step, $0.offset) < ($1.element.1.time, $1.element.1.step, $1.offset) }
      .map(\.element)[...]
    var remarks = draft.remarks[...]
    var items: [Item] = []
    func put(_ signal: String, _ emission: TestDraft.Emission, behind first: Int) {
      let start = items[first...].lastIndex { $0.events.contains { $0.signal == signal } }.map { $0 + 1 } ?? first
      if start == items.count { items.append(Item(time: emission.time)) }
      items[start].events.append((signal, emission.event))
    }
    func remark(step: Int, _ time: Duration) {
      while let remark = remarks.first, remark.step < step || remark.step == step && remark.time <= time {
        items.append(Item(time: time, remarks: [remark.text]))
        remarks.removeFirst()
      }
    }
    func emit(upTo isBefore: (TestDraft.Emission) -> Bool, from first: Int?) {
      var first = first
      while let (signal, emission) = events.first, isBefore(emission) {
        if first.map({ items[$0].time != emission.time }) ?? true {
          remark(step: emission.step, emission.time)
          items.append(Item(time: emission.time))
          first = items.count - 1
        }
        put(signal, emission, behind: first ?? 0)
        events.removeFirst()
      }
    }
    emit(upTo: { $0.step == 0 }, from: nil)
    for (index, step) in draft.steps.enumerated() {
      remark(step: index, step.time)
      items.append(Item(time: step.time, step: step))
      emit(upTo: { $0.step <= index + 1 }, from: items.count - 1)
    }
    remark(step: .max, draft.end)
    return items
  }

  private func text(of item: Item) -> String? {
    var members = ["at: \(DurationText.written(item.time))"]
    if let step = item.step { members.append(text(of: step)) }
    let values = item.events.compactMap { signal, event -> String? in
      guard case .next(let payload, _) = event else { return nil }
      return "\(names.text(signal)): \(FlowText.text(of: payload.value))"
    }
    let endings = item.events.compactMap { signal, event -> String? in
      guard case .ended(let ending) = event else { return nil }
      return "\(names.text(signal)): \(Self.expected(ending))"
    }
    if !values.isEmpty { members.append("expect: {\(values.joined(separator: ", "))}") }
    if !endings.isEmpty { members.append("expect_end: {\(endings.joined(separator: ", "))}") }
    return members.count > 1 ? "{\(members.joined(separator: ", "))}" : nil
  }

  private func text(of step: TestDraft.Step) -> String {
    let signal = names.text(step.signal)
    switch step.event {
    case .value(let value): return "send: {\(signal): \(FlowText.text(of: value))}"
    case .ending(.failed(let failure)):
      return "end: {\(signal): {failed: \(FlowText.text(of: failure.value))}}"
    case .ending(let ending): return "end: {\(signal): \(ending.event)}"
    }
  }

  private static func expected(_ ending: SignalEnding) -> String {
    guard case .failed(let failure) = ending else { return ending.event }
    return "{failed: {code: \(FlowText.text(of: .string(failure.code)))}}"
  }
}
