import ReactiveCore

extension SourceDeclaration {
  static let merge = SourceDeclaration(
    "merge", "Passes on the values of all its signals.", kind: .derived,
    Parameter<SignalList>("signals", "the signals", .only)
  ) { context, signals in
    var open = signals.references.count
    return context.join(signals.references.map(context.stream)) { inbox, output in
      for event in inbox.joined() {
        if case .completed = event { open -= 1 } else { output.send(event) }
      }
      if open == 0 { output.sendCompleted() }
    }
  }
}
