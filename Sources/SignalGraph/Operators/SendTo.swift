import JSON
import ReactiveCore

extension OperatorDeclaration {
  static let sendTo = OperatorDeclaration(
    "send_to", "Sends each value to an input or a property, as a turn of its own, and passes it on.",
    Parameter<TargetReference>("signal", "the input or property", .only),
    example: OperatorExample("send_to: other", in: "1-2|", others: ["other": "-----"], out: "1-2|")
  ) { input, context, target in
    // A refusal is told in a later turn: the stream must be one that can be sent to at any time.
    Stream { output, lifetime in
      let binding = TargetBinding(to: target.name, context, output)
      lifetime += input.observe(
        StreamObserver(
          value: { payload in
            binding.send(payload)
            output.send(value: payload)
          },
          ending: { output.send($0) }))
    }
  }
}

/// Sends the values of one signal into another.
private final class TargetBinding {
  private let name: String
  private let context: OperatorContext
  private let output: StreamObserver
  /// Whether the last value was lost because the target has ended.
  private let isLosing: Cell<Bool>

  init(to name: String, _ context: OperatorContext, _ output: StreamObserver) {
    self.name = name
    self.context = context
    self.output = output
    isLosing = context.cell(false)
  }

  private var target: RunningSignal { context.signal(named: name) }

  /// Opens a turn that sends a value; a value of the wrong type is refused, one to a signal that has ended is counted.
  func send(_ payload: Payload) {
    guard let chase = context.turns.enqueue(to: name, { self.carryOut(payload) }) else { return }
    context.signal.drop(
      past: pastLimit(chase), told: pastLimit(chase.map { context.signal(named: $0).publicName }),
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

  /// Counts a value for an input that takes none any more, with a word about the first.
  private func lose() {
    context.signal.count(.drop)
    if !isLosing.value {
      context.world.log("\(name) has ended: what is sent there is lost", signal: context.signal.name)
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

/// An input or a property that values are sent to; nothing is computed from it.
struct TargetReference: ParameterValue {
  let name: String

  static var typeName: String { "an input or a property" }
  var targets: [String] { [name] }

  static func read(_ node: ConfigNode, _ reading: ParameterReading) -> TargetReference? {
    let reader = reading.reader
    guard let name = reader.signalName(node) else { return nil }
    let (place, problems) = (Extent(node), reader.problems)
    reader.whenAllAreRead { signals in
      if let target = signals[name], target.kind == .input || target.kind == .property { return }
      problems.error("\"\(name)\" is no input and no property: nothing can be sent to it", at: place)
    }
    return TargetReference(name: name)
  }
}
