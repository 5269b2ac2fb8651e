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
      lifetime += input.observe(
        StreamObserver(
          value: { payload in
            context.send(payload, to: target.name, output)
            output.send(value: payload)
          },
          ending: { output.send($0) }))
    }
  }
}

extension OperatorContext {
  /// Opens a turn that sends a value; a value of the wrong type is refused, one to a signal that has ended is lost.
  fileprivate func send(_ payload: Payload, to name: String, _ output: StreamObserver) {
    let chase = turns.enqueue(to: name) { [self] in
      let target = signal(named: name)
      guard target.ending == nil, let inlet = target.inlet else { return }
      do throws(SendError) {
        try inlet.check(payload)
        try inlet.prepare(payload)
        inlet.output.send(value: payload)
      } catch {
        refuse(SignalFailure(error, sendingTo: name), value: payload.value, output)
      }
    }
    guard let chase else { return }
    let cycle = chase.joined(separator: " → ")
    signal.drop(past: "more than \(limits.chain) turns from one cause: \(cycle) (limits.chain)", in: operatorName)
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
