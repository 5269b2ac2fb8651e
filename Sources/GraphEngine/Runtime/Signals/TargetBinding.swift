package import GraphModel
package import JSON
import Signals

/// Sends the values of one signal into another.
package final class TargetBinding {
  private let name: String
  private let context: OperatorContext
  private let output: StreamObserver
  /// True when the last value was lost because the target had ended.
  private let isLosing: Cell<Bool>

  package init(to name: String, _ context: OperatorContext, _ output: StreamObserver) {
    self.name = name
    self.context = context
    self.output = output
    isLosing = context.cell(false)
  }

  private var target: RunningSignal { context.signal(named: name) }

  /// Opens a turn that sends a value; refuses a value of the wrong type, counts one for a target that has ended.
  package func send(_ payload: Payload) {
    guard let chase = context.turns.enqueue(to: name, { self.carryOut(payload) }) else { return }
    context.signal.drop(
      past: pastLimit(chase), publicly: pastLimit(chase.map { context.signal(named: $0).publicName }),
      in: context.operatorName)
  }

  private func pastLimit(_ cycle: [String]) -> String {
    "more than \(context.limits.chain) turns from one cause: \(cycle.joined(separator: " → ")) (limits.chain)"
  }

  private func carryOut(_ payload: Payload) {
    let target = target
    if target.isMirror { return context.engine.mirrors.onSend(target, payload) }
    guard target.ending == nil, let inlet = target.inlet else { return lose() }
    isLosing.value = false
    do throws(SendError) {
      try inlet.check(payload)
      try inlet.prepare(payload)
      inlet.output.send(value: payload)
    } catch {
      let failure = SignalFailure(error, sendingTo: target.publicName)
      context.refuse(failure, value: payload.value, output)
    }
  }

  /// Counts a value for an ended input and logs the first.
  private func lose() {
    context.signal.count(.drop)
    if !isLosing.value {
      context.world.log("\(name) has ended: values sent to it are lost", signal: context.signal.name)
    }
    isLosing.value = true
  }
}

extension SignalFailure {
  fileprivate init(_ error: SendError, sendingTo name: String) {
    switch error {
    case .badValue(let expected, let found): self = .badValue("\(name) takes \(expected), not \(found)")
    case .failed(let failure): self = failure
    case .notAnInput, .ended, .notEndable: preconditionFailure("values are sent to inputs that have not ended")
    }
  }
}
