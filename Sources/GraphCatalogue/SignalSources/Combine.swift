import GraphEngine
import GraphModel
import JSON
import ReactiveCore

/// The moment at which `combine` emits.
enum Emission: String, WordParameter {
  /// Once per turn, after all inputs have settled.
  case turn
  /// Once per value of an input, as RAC's combineLatest does.
  case event
}

extension SourceDeclaration {
  static let combine = SourceDeclaration(
    "combine", "Emits the latest values of all its signals together, once each has one.", kind: .derived,
    Parameter<SignalList>("signals", "the signals", .only),
    Parameter<Emission>("emit", "emit once per turn, or once per input value", .beside, initial: .turn),
    dependence: .memory
  ) { context, signals, emission in
    let cell = context.cells([Payload?](repeating: nil, count: signals.references.count))
    return context.join(signals.references.map(context.input)) { inbox, output in
      var latest = LatestValues(labels: signals.labels, values: cell.value)
      defer { cell.value = latest.values }
      var isChanged = false
      for (index, events) in inbox.enumerated() {
        for event in events {
          guard let value = event.value else { continue }
          latest.values[index] = value
          isChanged = true
          if emission == .event, let combined = latest.combined { output.send(value: combined) }
        }
      }
      if emission == .turn, isChanged, let combined = latest.combined { output.send(value: combined) }
      for events in inbox { output.forwardFailure(of: events) }
      if latest.isExhausted(inbox.isOpen) { output.sendCompleted() }
    }
  }
  .alsoKnown(as: "combineLatest", "join", "combineLatestWith")
}

/// The last values of several signals.
private struct LatestValues {
  let labels: [String]?
  var values: [Payload?]

  /// Rules out further values: all inputs have ended, or one ended without a value.
  func isExhausted(_ isOpen: [Bool]) -> Bool {
    !isOpen.contains(true) || zip(values, isOpen).contains { $0 == nil && !$1 }
  }

  var combined: Payload? {
    if values.contains(where: { $0 == nil }) { return nil }
    guard let labels else { return .value(.array(values.map { $0?.value ?? .null })) }
    var members: [JSONObject.Member] = []
    members.reserveCapacity(labels.count)
    for index in labels.indices {
      members.append(JSONObject.Member(key: labels[index], value: values[index]?.value ?? .null))
    }
    return .value(.object(JSONObject(distinct: members)))
  }
}
