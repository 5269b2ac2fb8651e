import GraphEngine
import GraphModel
import JSON
import Signals

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
    let latest = LatestValues(
      labels: signals.labels, context.cells(Array(repeating: nil, count: signals.references.count)))
    return context.join(signals.references.map(context.input)) { inbox, output in
      var isChanged = false
      for index in inbox.indices {
        for event in inbox[index] {
          guard case .value(let value) = event else { continue }
          latest.note(value, of: index)
          isChanged = true
          if emission == .event, let combined = latest.combined { output.send(value: combined) }
        }
      }
      if emission == .turn, isChanged, let combined = latest.combined { output.send(value: combined) }
      guard inbox.hasEnding else { return }
      for events in inbox { output.forwardFailure(of: events) }
      if latest.isExhausted(inbox.isOpen) { output.sendCompleted() }
    }
  }
  .alsoKnown(as: "combineLatest", "join", "combineLatestWith")
}

/// The last values of several signals.
private final class LatestValues {
  private let labels: [String]?
  private let cell: Cell<[Payload?]>
  /// The object of all values once there are all; it is changed in place unless something has kept it.
  private var object: JSONObject?

  init(labels: [String]?, _ cell: Cell<[Payload?]>) { (self.labels, self.cell) = (labels, cell) }

  func note(_ value: Payload, of index: Int) {
    cell.value[index] = value
    object?.replaceValue(at: index, by: value.value)
  }

  /// Rules out further values: all inputs have ended, or one ended without a value.
  func isExhausted(_ isOpen: [Bool]) -> Bool {
    !isOpen.contains(true) || zip(cell.value, isOpen).contains { $0 == nil && !$1 }
  }

  var combined: Payload? {
    guard let labels else { return all.map { .value(.array($0)) } }
    if object == nil, let values = all {
      object = JSONObject(distinct: zip(labels, values).map { JSONObject.Member(key: $0, value: $1) })
    }
    return object.map { .value(.object($0)) }
  }

  private var all: [JSONValue]? {
    var values: [JSONValue] = []
    values.reserveCapacity(cell.value.count)
    for value in cell.value {
      guard let value else { return nil }
      values.append(value.value)
    }
    return values
  }
}
