internal import GraphCatalogue
internal import GraphModel
internal import Linux
internal import Persistence

/// The outcome of reading a configuration as the daemon does.
struct CheckVerdict {
  /// `nil` if it has errors.
  let configuration: Configuration?
  /// Everything that was read.
  let inputs = RecordedInputs()
  /// The diagnostics with their carets.
  let details: [MarkedText]
  let line: MarkedText
  /// The reason that a file could not be read; `nil` for diagnostics.
  let unreadable: String?

  init(_ path: String) {
    let start = MonotonicInstant.now()
    let (configuration, problem): (Configuration?, ConfigurationError?)
    do throws(ConfigurationError) {
      let inputs = inputs.recording(.systemWithoutAccounts)
      (configuration, problem) = (try Configuration.load(.withAdditions(path), inputs: inputs), nil)
    } catch { (configuration, problem) = (nil, error) }
    self.configuration = configuration
    let duration = MarkedText("  \((MonotonicInstant.now() - start).shown)", .aside)
    switch problem {
    case .unreadable(let error)?:
      (details, unreadable) = ([MarkedText("\(error)", .error)], "\(error)")
      line = MarkedText("\(error)", .error)
    case .invalid(let diagnostics)?:
      (details, unreadable) = (DiagnosticRenderer.lines(diagnostics), nil)
      line = MarkedText(counted(diagnostics.errors.count, "error"), .error) + duration
    case nil:
      let warnings = configuration?.warnings
      (details, unreadable) = (warnings.map(DiagnosticRenderer.lines) ?? [], nil)
      let graphs = counted(configuration?.graphs.count ?? 0, "graph")
      let contents = "\(graphs), \(counted(configuration?.signalCount ?? 0, "signal")), "
      line = MarkedText(contents) + MarkedText("no errors", .success) + duration
    }
  }

  /// The signals that run without subscribers, so that following them starts nothing.
  var runningSignals: [SignalDeclaration] {
    let signals = configuration?.graphs.flatMap(\.signals) ?? []
    return signals.filter { if case .always = $0.traits.run { !$0.isCondition && !$0.traits.isPrivate } else { false } }
  }
}
