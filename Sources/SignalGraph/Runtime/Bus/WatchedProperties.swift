import JSON
import ReactiveCore

/// Properties on a bus of which a signal's value is made.
final class WatchedProperties {
  private let properties: BusProperties
  private let missing: MissingService
  /// Whether a value like the last one is emitted where the service announces it.
  private let repeats: Bool
  private let value: (_ known: JSONObject, _ told: [String: JSONValue]) -> JSONValue?
  private let context: OperatorContext
  private let output: StreamObserver
  /// The values that are known, as an object.
  private let known: Cell<JSONValue>
  /// The value that was emitted last.
  private let last: Cell<JSONValue?>
  /// Whether what is told next is how everything stands, rather than what has changed.
  private let isNew: Cell<Bool>

  /// - Parameter value: Makes a value of all that is known and of what of it was told just now; `nil` for none yet.
  init(
    _ properties: BusProperties, missing: MissingService, repeats: Bool, to output: StreamObserver,
    _ context: OperatorContext, _ value: @escaping (_ known: JSONObject, _ told: [String: JSONValue]) -> JSONValue?
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
  func begin() {
    context.onAttach { [self] world, attachment in
      if attachment != .same { isNew.value = true }
      let watch = world.buses.watch(properties) { [self] in take($0) }
      context.body.onEnd { watch.dispose() }
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

  private func take(_ told: [String: JSONValue]) {
    let wasNew = isNew.value
    isNew.value = false
    let names = properties.groups.flatMap(\.properties)
    guard names.contains(where: { told[$0] != nil }) else { return }
    var values = JSONObject()
    for name in names { values[name] = told[name] ?? (wasNew ? nil : before(name)) }
    known.value = .object(values)
    guard let value = value(values, told) else { return }
    // A service that came back, or a daemon, says again what was known.
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
          code: "gone", message: "nobody owns \(object.name) on \(object.bus.inWords), or the bus is away"))
    }
  }

  private func emit(_ value: JSONValue) {
    last.value = value
    output.send(value: .value(value))
  }
}
