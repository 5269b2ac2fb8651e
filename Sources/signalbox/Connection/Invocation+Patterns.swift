internal import JSON
internal import WireProtocol

extension Invocation {
  /// The signals that names and patterns mean: for a pattern, those that hold a value.
  ///
  /// - Throws: where a pattern covers nothing, or nothing that holds a value.
  func held(_ names: [String]) throws(CommandError) -> [String] {
    var signals: [String] = []
    for name in names {
      let pattern = try pattern(name)
      signals += pattern.isName ? [name] : try held(coveredBy: pattern)
    }
    return signals
  }

  private func held(coveredBy pattern: SignalPattern) throws(CommandError) -> [String] {
    var request = ListRequest()
    request.pattern = pattern
    // The user did not ask for the list: it is not printed, not even with --json.
    let covered = try Connection(path: socketPath, output: output, echoesLines: false).ask(request).objects("signals")
    if covered.isEmpty { throw .nothing(coveredBy: pattern) }
    let held = covered.filter { $0["held"] == true && $0["subscribe"] == true }
    if held.isEmpty { throw CommandError(.notYet, "no signal that \(pattern.text) covers holds a value") }
    return held.map { $0.text("signal") }
  }
}

extension CommandError {
  /// A pattern with which nothing can be done.
  static func nothing(coveredBy pattern: SignalPattern) -> CommandError {
    CommandError(.unknown, "no signal is covered by \(pattern.text); see signalbox list")
  }
}
