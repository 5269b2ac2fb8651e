import JSON
import ReactiveCore

/// Sets a property on a bus to the values that its signal is sent.
///
/// The service is asked in their order. It announces what has become of the property; only a refusal is heard here.
final class PropertySetter {
  /// A value of which nobody knows yet whether it was taken.
  fileprivate struct Setting {
    let id: UInt64
    /// The number under which its answer comes.
    var number: UInt64
    let value: JSONValue
  }

  private let property: BusProperty
  private let context: OperatorContext
  private let output: StreamObserver
  private let pending: Cell<[Setting]>
  private let lastID: Cell<UInt64>
  /// The requests that are under way, to be disposed of when nobody wants their answers any more.
  private var requests: [UInt64: any Disposable] = [:]

  /// How many values may wait for their answers.
  private static let most = 1000

  init(_ property: BusProperty, to output: StreamObserver, _ context: OperatorContext) {
    self.property = property
    self.output = output
    self.context = context
    pending = context.cell([])
    lastID = context.cell(0)
  }

  /// Asks again for what was under way when the signal was written down: whether it was done is not known.
  func begin() {
    context.onAttach { [self] in
      for index in pending.value.indices {
        pending.value[index].number = context.world.number(after: pending.value[index].number)
        ask(pending.value[index])
      }
    }
    context.body.onEnd { [self] in
      for request in requests.values { request.dispose() }
      requests = [:]
    }
  }

  /// Sets it; within a turn.
  func set(_ value: JSONValue) {
    guard pending.value.count < Self.most else {
      let failure = SignalFailure(
        code: "limit", message: "\(Self.most) values wait for the answer of \(property.object.name)")
      return context.refuse(failure, value: value, output)
    }
    lastID.value += 1
    let setting = Setting(id: lastID.value, number: context.world.number(after: 0), value: value)
    pending.value.append(setting)
    ask(setting)
  }

  private func ask(_ setting: Setting) {
    let buses = context.world.numbered(setting.number).buses
    requests[setting.id] = buses.set(property, to: setting.value) { [self] answer in
      pending.value.removeAll { $0.id == setting.id }
      requests[setting.id] = nil
      guard case .failed(let failure) = answer else { return }
      context.turns.run { context.refuse(failure, value: setting.value, output) }
    }
  }
}

extension PropertySetter.Setting: Storable {
  func store(in writer: inout StateWriter) {
    id.store(in: &writer)
    number.store(in: &writer)
    value.store(in: &writer)
  }

  init(from reader: inout StateReader) throws(StateError) {
    id = try UInt64(from: &reader)
    number = try UInt64(from: &reader)
    value = try JSONValue(from: &reader)
  }
}
