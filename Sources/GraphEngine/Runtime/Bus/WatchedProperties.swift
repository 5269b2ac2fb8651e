package import GraphModel
package import JSON
import Signals

/// Properties on a bus that a signal's value is made of.
package final class WatchedProperties {
  private let properties: BusProperties
  private let missing: MissingService
  /// True if an unchanged value is emitted when the service announces it.
  private let repeats: Bool
  private let value: (_ known: JSONObject, _ announced: [String: JSONValue]) -> JSONValue?
  private let context: OperatorContext
  private let output: StreamObserver
  /// The known values, as an object.
  private let known: Cell<JSONValue>
  /// The last emitted value.
  private let last: Cell<JSONValue?>
  /// True if the next event gives the complete state rather than changes.
  private let isNew: Cell<Bool>

  /// - Parameter value: Computes a value from all known values and those just received; `nil` for none yet.
  package init(
    _ properties: BusProperties, missing: MissingService, repeats: Bool, to output: StreamObserver,
    _ context: OperatorContext, _ value: @escaping (_ known: JSONObject, _ announced: [String: JSONValue]) -> JSONValue?
  ) {
    self.properties = properties
    self.missing = missing
    self.repeats = repeats
    self.value = value
    self.output = output
    self.context = context
    known = context.cell([:]) { if case .object = $0 { true } else { false } }
    last = context.cell(nil)
    isNew = context.cell(true)
  }

  /// Watches them from the start of the signal to its end.
  package func begin() {
    context.onAttach { [self] world, attachment in
      if attachment != .same { isNew.value = true }
      let recorder = world.buses.watch(properties) { [self] in take($0) }
      context.body.onEnd { recorder.dispose() }
    }
  }

  private func take(_ event: BusEvent) {
    guard !context.body.hasEnded else { return }
    context.turns.run {
      switch event {
      case .properties(let values): take(values)
      case .gone: lose()
      case .refused(let failure): context.refuse(failure, value: nil, output)
      case .arguments: break
      }
    }
  }

  private func take(_ announced: [String: JSONValue]) {
    let wasNew = isNew.value
    isNew.value = false
    let names = properties.groups.flatMap(\.properties)
    guard names.contains(where: { announced[$0] != nil }) else { return }
    var values = JSONObject()
    for name in names { values[name] = announced[name] ?? (wasNew ? nil : before(name)) }
    known.value = .object(values)
    guard let value = value(values, announced) else { return }
    // A restarted service or daemon announces known values again.
    if value == last.value, wasNew || !repeats { return }
    emit(value)
  }

  private func before(_ name: String) -> JSONValue? {
    if case .object(let values) = known.value { values[name] } else { nil }
  }

  private func lose() {
    isNew.value = true
    switch missing {
    case .null:
      known.value = [:]
      if last.value != .null { emit(.null) }
    case .keep: break
    case .fail:
      let object = properties.object
      output.send(
        error: SignalFailure(
          code: "gone", message: "\(object.name) has no owner on \(object.bus.inWords), or the bus is not connected"))
    }
  }

  private func emit(_ value: JSONValue) {
    last.value = value
    output.send(value: .value(value))
  }
}
