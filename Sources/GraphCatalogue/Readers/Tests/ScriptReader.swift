import GraphModel
import JSON

/// Reads a `script`: a list of timed steps.
struct ScriptReader {
  let signals: TestSignals
  /// The time in microseconds since 1970.
  let start: Int64
  let context: ReadingContext

  private static let verbs = ["send", "end", "expect", "expect_end", "subscribe", "unsubscribe", "call"]
  private static let keys = ["at"] + verbs

  func read(_ script: Reader, into plan: inout TestPlan) {
    for step in script.list() ?? [] {
      guard let mapping = step.mapping(of: Self.keys) else { continue }
      let time = mapping.required("at")?.time(since: start)
      for verb in Self.verbs {
        if let argument = mapping.optional(verb) { read(verb, argument, at: time ?? .zero, into: &plan) }
      }
      if step.node.entries?.count == 1, time != nil {
        context.problems.error("empty step: give one of \(Self.verbs.joined(separator: ", "))", at: step)
      }
      plan.last(to: time ?? .zero)
    }
  }

  private func read(_ verb: String, _ argument: Reader, at time: Duration, into plan: inout TestPlan) {
    switch verb {
    case "send":
      each(argument, of: "{signal: value}", naming: source) { signal, value in
        if let json = value.literal() { plan.act(.send(signal, json), at: time, value.place) }
      }
    case "end":
      each(argument, of: "{signal: completed}", naming: source) { signal, value in
        if signals.isKnownAction(signal) {
          guard let (ending, status) = EndingReader.endingOfCall(value) else { return }
          plan.act(.end(signal, ending, status: status), at: time, value.place)
        } else if let ending = EndingReader.ending(value) {
          plan.act(.end(signal, ending), at: time, value.place)
        }
      }
    case "expect": expect(argument, of: "{signal: value}", at: time, into: &plan) { $0.value().map { .value($0) } }
    case "expect_end":
      expect(argument, of: "{signal: completed}", at: time, into: &plan, outcome: EndingReader.expected)
    case "subscribe": subscribe(argument, at: time, into: &plan)
    case "unsubscribe": unsubscribe(argument, at: time, into: &plan)
    default:
      each(argument, of: "{action: value}", naming: action) { action, value in
        if let json = value.literal() { plan.act(.call(action, json), at: time, value.place) }
      }
    }
  }

  private func action(_ key: ConfigNode) -> String? { signals.action(key, context.problems) }

  private func source(_ key: ConfigNode) -> String? { signals.source(key, context.problems) }

  /// Iterates over a mapping from signals to arguments.
  private func each(
    _ argument: Reader, of form: String, naming name: (ConfigNode) -> String?, _ body: (String, Reader) -> Void
  ) {
    guard let entries = argument.node.entries else { return argument.refuse(expected: form) }
    for entry in entries {
      guard let signal = name(entry.key) else { continue }
      body(signal, context.reader(entry.value))
    }
  }

  private func expect(
    _ argument: Reader, of form: String, at time: Duration, into plan: inout TestPlan,
    outcome: (Reader) -> ExpectedEvent.Outcome?
  ) {
    guard let entries = argument.node.entries else { return argument.refuse(expected: form) }
    for entry in entries {
      if signals.meansCalls(entry.name, plan) {
        expectCalls(context.reader(entry.value), at: time, into: &plan)
        continue
      }
      let isLabel = plan.hasSubscriber(entry.name)
      guard let subject = isLabel ? entry.name : signals.find(entry.key, context.problems),
        let outcome = outcome(context.reader(entry.value))
      else { continue }
      plan.watch(subject, as: entry.name, entry.key.place)
      plan.expect(outcome, of: subject, at: time, entry.key.place)
    }
  }

  private func expectCalls(_ argument: Reader, at time: Duration, into plan: inout TestPlan) {
    guard let entries = argument.node.entries else { return argument.refuse(expected: "{action: value}") }
    for entry in entries {
      guard let action = action(entry.key), let value = context.reader(entry.value).value() else { continue }
      let subject = Expectation.calls(of: action)
      plan.watch(subject, as: "call of \(entry.name)", entry.key.place)
      plan.expect(.value(value), of: subject, at: time, entry.key.place)
    }
  }

  private func subscribe(_ argument: Reader, at time: Duration, into plan: inout TestPlan) {
    guard let mapping = argument.mapping(of: ["as", "to"]) else { return }
    let label = mapping.required("as").flatMap { $0.name() == nil ? nil : $0.node }
    let signal = mapping.required("to").flatMap { signals.find($0.node, context.problems) }
    guard let label, let name = label.scalar?.text, let signal else { return }
    if signals.isSignal(name) {
      return context.problems.error("\"\(name)\" is the name of a signal: choose another for the subscriber", at: label)
    }
    if plan.hasSubscriber(name) {
      return context.problems.error("duplicate subscriber \"\(name)\"", at: label)
    }
    plan.act(.subscribe(label: name, to: signal), at: time, label.place)
    plan.watch(name, as: name, label.place)
  }

  private func unsubscribe(_ argument: Reader, at time: Duration, into plan: inout TestPlan) {
    guard let name = argument.name() else { return }
    guard plan.hasSubscriber(name) else {
      return context.problems.error("no earlier step subscribes as \"\(name)\"", at: argument)
    }
    plan.act(.unsubscribe(label: name), at: time, argument.place)
  }
}
