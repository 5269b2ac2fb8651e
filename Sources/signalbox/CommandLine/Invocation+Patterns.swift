internal import JSON
internal import WireProtocol

extension Invocation {
  /// Resolves names and patterns: a pattern yields its signals that hold a value.
  ///
  /// - Throws: An error if a pattern covers no signal, or none that holds a value.
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
    // The list is internal and never printed, even with --json.
    let covered = try Connection(path: socketPath, output: output, echoesLines: false).ask(request).objects("signals")
    if covered.isEmpty { throw .nothing(coveredBy: pattern) }
    let held = covered.filter { $0["held"] == true && $0["subscribe"] == true }
    if held.isEmpty { throw CommandError(.notYet, "no signal that matches \(pattern.text) holds a value") }
    return held.map { $0.text("signal") }
  }
}

extension CommandError {
  /// The failure for a pattern that covers no signal.
  static func nothing(coveredBy pattern: SignalPattern) -> CommandError {
    CommandError(.unknown, "no signal matches \(pattern.text); see signalbox list")
  }
}
