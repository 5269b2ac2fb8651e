import ReactiveCore

extension SourceDeclaration {
  static let race = SourceDeclaration(
    "race", "Passes on the one of its signals that emits or ends first, and leaves the others.", kind: .derived,
    Parameter<SignalList>("signals", "the signals", .only)
  ) { context, signals in
    context.race(signals.references.map { context.producer(of: $0) })
  }
}

extension OperatorContext {
  /// What the first of several does, to send any event; the others are stopped.
  ///
  /// Of those that send something in one turn the first in the list wins.
  func race(_ entrants: [StreamProducer]) -> Stream {
    let runs = entrants.map { _ in SerialDisposable() }
    let streams = zip(entrants, runs).map { entrant, run in
      Stream { output, lifetime in
        lifetime += run
        run.inner = entrant.start(output)
      }
    }
    var winner: Int?
    return join(streams.map { RenewableInput($0) }) { inbox, output in
      if winner == nil {
        winner = inbox.firstIndex { !$0.isEmpty }
        for (index, run) in runs.enumerated() where index != winner { run.dispose() }
      }
      for event in winner.map({ inbox[$0] }) ?? [] { output.send(event) }
    }
  }
}
