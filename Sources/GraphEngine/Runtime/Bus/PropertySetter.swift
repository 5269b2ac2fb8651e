package import GraphModel
package import JSON
import Signals

/// Sets a property on a bus to the values that its signal is sent.
///
/// Requests are made in the order of the values. The service announces the result; only a refusal is handled here.
package final class PropertySetter {
  /// A value that is waiting for its answer.
  fileprivate struct Setting {
    let id: UInt64
    /// The number of the attachment that receives the answer.
    var number: UInt64
    let value: JSONValue
  }

  private let property: BusProperty
  private let context: OperatorContext
  private let output: StreamObserver
  private let pending: Cell<[Setting]>
  private let lastID: Cell<UInt64>
  /// The pending requests, disposed of when their answers are no longer needed.
  private var requests: [UInt64: any Disposable] = [:]

  /// The greatest number of values that may wait for their answers.
  private static let most = 1000

  package init(_ property: BusProperty, to output: StreamObserver, _ context: OperatorContext) {
    self.property = property
    self.output = output
    self.context = context
    pending = context.cell([])
    lastID = context.cell(0)
  }

  /// Repeats the requests that were pending when the signal was saved, since their outcome is unknown.
  package func begin() {
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

  /// Requests a new value, within a turn.
  package func set(_ value: JSONValue) {
    guard pending.value.count < Self.most else {
      let failure = SignalFailure(
        code: "limit", message: "call queue is full (\(Self.most)): no answer from \(property.object.name)")
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

extension PropertySetter.Setting: StateRecord {
  init(_ field: inout StateCoder<Self>) throws(StateError) {
    id = try field(\.id)
    number = try field(\.number)
    value = try field(\.value)
  }
}
