import ReactiveCore

extension SourceDeclaration {
  static let merge = SourceDeclaration(
    "merge", "Passes on the values of all its signals.", kind: .derived,
    Parameter<SignalList>("signals", "the signals", .only)
  ) { context, signals in
    context.merge(signals.references.map(context.stream))
  }
}

extension OperatorContext {
  /// The values of each turn in the order of the signals; completes when all have, fails when one does.
  func merge(_ inputs: [Stream]) -> Stream {
    var open = inputs.count
    return join(inputs) { inbox, output in
      for event in inbox.joined() {
        if case .completed = event { open -= 1 } else { output.send(event) }
      }
      if open == 0 { output.sendCompleted() }
    }
  }
}
