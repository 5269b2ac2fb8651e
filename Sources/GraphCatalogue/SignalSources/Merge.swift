import GraphEngine
import GraphModel
import Signals

extension SourceDeclaration {
  static let merge = SourceDeclaration(
    "merge", "Passes on the values of all its signals.", kind: .derived,
    Parameter<SignalList>("signals", "the signals", .only),
    dependence: .event
  ) { context, signals in
    context.merge(signals.references.map(context.input))
  }
}

extension OperatorContext {
  /// Emits the values of each turn in the order of the signals; completes when all have ended, fails when one does.
  func merge(_ inputs: [RestartableInput]) -> Stream {
    join(inputs) { inbox, output in
      for event in inbox.joined() {
        switch event {
        case .completed, .interrupted: continue
        case .value, .failed: output.send(event)
        }
      }
      if !inbox.isOpen.contains(true) { output.sendCompleted() }
    }
  }
}
