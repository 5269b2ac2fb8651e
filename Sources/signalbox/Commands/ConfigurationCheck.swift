internal import GraphCatalogue
internal import GraphModel
internal import GraphTools
internal import JSON

/// One run of `signalbox check`.
struct ConfigurationCheck {
  fileprivate enum Mode: String, CaseIterable {
    /// Reports the diagnostics alone.
    case report
    case fix, unit, against, expand, live
  }

  private let invocation: Invocation
  private let mode: Mode
  private let isJSON: Bool
  private let unitName: UnitName
  private let source: ConfigurationSource
  private var output: Output { invocation.output }

  init(_ invocation: Invocation) throws(CommandError) {
    self.invocation = invocation
    let format = invocation.text("format") ?? (invocation.isJSON ? "json" : "text")
    guard ["text", "json"].contains(format) else { throw .usage("--format must be text or json, not \(format)") }
    isJSON = format == "json"
    let modes = Mode.allCases.filter { $0 != .report && invocation.has($0.rawValue) }
    if modes.count > 1 { throw .usage("either --\(modes[0].rawValue) or --\(modes[1].rawValue), not both") }
    mode = modes.first ?? .report
    if isJSON, let words = mode.onlyText { throw .usage("--\(mode.rawValue) \(words) and has no JSON form") }
    unitName = try Self.unitName(invocation, isUsed: mode == .unit)
    source = try ConfigurationFiles.source(invocation, default: unitName.configuration + "/signalbox.yaml")
  }

  private static func unitName(_ invocation: Invocation, isUsed: Bool) throws(CommandError) -> UnitName {
    let name = UnitName(instance: invocation.text("instance"))
    if name.instance != nil, !isUsed { throw .usage("--instance requires --unit") }
    if name.isValid { return name }
    let found = name.instance ?? ""
    throw .usage(
      "--instance must be a systemd instance name of ASCII letters, digits and :-_.\\@, not \"\(found)\"")
  }

  func run() throws(CommandError) {
    switch mode {
    case .report: try reportAll()
    case .fix: try fix()
    case .unit: try printUnit()
    case .against: try compareWithState()
    case .expand: try printExpansion()
    case .live: try compareWithSystem()
    }
  }

  // MARK: - Modes

  private func reportAll() throws(CommandError) {
    let configuration = try load { () throws(ConfigurationError) in
      try Configuration.load(source, inputs: .elsewhere)
    }
    report(configuration.warnings)
    summarize(configuration)
  }

  /// Applies all fix-its, also those of errors that others have hidden, and reports what remains.
  private func fix() throws(CommandError) {
    var count = 0
    for _ in 0..<Self.mostPasses {
      let applied = try ConfigurationFix(try diagnostics()).apply()
      if applied.isEmpty { break }
      for fixIt in applied {
        output.line("\(fixIt.place): replaced \(fixIt.original) with \(fixIt.replacement)")
      }
      count += applied.count
    }
    if count == 0 { output.line("\(source.path): nothing to fix") }
    try reportAll()
  }

  /// A bound for corrections that undo each other.
  private static let mostPasses = 10

  private func diagnostics() throws(CommandError) -> Diagnostics {
    do throws(ConfigurationError) { return try Configuration.load(source, inputs: .elsewhere).warnings } catch {
      switch error {
      case .unreadable(let error): throw CommandError(.unreadable, "\(error)")
      case .invalid(let diagnostics): return diagnostics
      }
    }
  }

  private func printUnit() throws(CommandError) {
    let unit = ServiceUnit(unitName)
    let configuration = try load { () throws(ConfigurationError) in
      try Configuration.load(source, inputs: unit.inputs)
    }
    report(configuration.warnings)
    let socket = SocketUnit(unit.name)
    for note in unit.notes { printError("note: \(note)") }
    for difference in socket?.differences(from: configuration.server.socket) ?? [] {
      printError("warning: \(difference)")
    }
    for line in UnitDropIn(for: configuration, of: source.path, in: unit, behind: socket).lines { output.line(line) }
  }

  private func compareWithState() throws(CommandError) {
    let configuration = try load { () throws(ConfigurationError) in
      try Configuration.load(source, inputs: .elsewhere)
    }
    ConfigurationFiles.report(configuration.warnings, output)
    let folder = invocation.text("against") ?? ""
    try StateOutcome.report(configuration, against: folder, isJSON ? "json" : "text", to: output)
  }

  private func printExpansion() throws(CommandError) {
    let (configuration, text) = try load { () throws(ConfigurationError) in
      try Configuration.loadExpanded(source, inputs: .elsewhere)
    }
    report(configuration.warnings)
    for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() { output.line(String(line)) }
  }

  /// Reports the diagnostics together with the differences from the objects on the buses, and tries the connections.
  private func compareWithSystem() throws(CommandError) {
    let (configuration, mentions) = try load { () throws(ConfigurationError) in
      try Configuration.loadMentioningBuses(source, inputs: .elsewhere)
    }
    let live = LiveCheck(mentions)
    let diagnostics = Diagnostics(configuration.warnings.list + live.found)
    report(diagnostics)
    for reason in live.away { printError("signalbox: \(reason)") }
    let trial = try ConnectionTrial(configuration.server.connections)
    for line in trial.findings { if isJSON { printError(line) } else { output.line(line) } }
    for line in trial.untried { printError("note: not tried: \(line)") }
    if !diagnostics.errors.isEmpty { throw refusal(diagnostics) }
    if !live.away.isEmpty || !trial.isGood { throw CommandError(.unreachable, nil) }
    summarize(configuration)
  }

  // MARK: - Reports

  /// Loads a valid configuration; reports the errors of an invalid one.
  private func load<Loaded>(_ load: () throws(ConfigurationError) -> Loaded) throws(CommandError) -> Loaded {
    do throws(ConfigurationError) { return try load() } catch {
      switch error {
      case .unreadable(let error): throw CommandError(.unreadable, "\(error)")
      case .invalid(let diagnostics):
        report(diagnostics)
        throw refusal(diagnostics)
      }
    }
  }

  private func refusal(_ diagnostics: Diagnostics) -> CommandError {
    CommandError(.badConfiguration, isJSON ? nil : counted(diagnostics.errors.count, "error"))
  }

  private func report(_ diagnostics: Diagnostics) {
    if isJSON {
      output.line(DiagnosticRenderer.json(diagnostics).description)
    } else {
      ConfigurationFiles.report(diagnostics, output)
    }
  }

  private func summarize(_ configuration: Configuration) {
    if isJSON { return }
    guard configuration.openReferences.isEmpty else {
      return output.line(
        MarkedText("\(source.path): ") + MarkedText("no errors in what can be checked here", .success))
    }
    let counts = [counted(configuration.graphs.count, "graph"), counted(configuration.signalCount, "signal")]
    output.line(MarkedText("\(source.path): \(counts.joined(separator: ", ")), ") + MarkedText("no errors", .success))
  }
}

extension ConfigurationCheck.Mode {
  /// The reason for printing text only.
  fileprivate var onlyText: String? {
    switch self {
    case .report, .against, .live: nil
    case .fix: "prints the changes"
    case .unit: "prints a drop-in"
    case .expand: "prints YAML"
    }
  }
}
