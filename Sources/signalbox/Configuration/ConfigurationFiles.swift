internal import SignalGraph

/// Ways in which commands that need no daemon get a configuration.
enum ConfigurationFiles {
  static let defaultPath = "/etc/signalbox/signalbox.yaml"

  static let option = Command.Option(
    name: "config", letter: "c", argument: "PATH", doc: "read it as the daemon does, with conf.d beside it",
    kind: .configuration
  )

  /// The one that a FILE or `--config` names, else the daemon's own.
  static func source(
    _ invocation: Invocation, default path: String = defaultPath
  ) throws(CommandError) -> ConfigurationSource {
    let operand = try invocation.operands(0...1).first
    switch (operand, invocation.text("config")) {
    case (let path?, nil): return .alone(path)
    case (nil, let named): return .withAdditions(named ?? path)
    case (.some, .some): throw .usage("either a FILE or --config, not both")
    }
  }

  /// A configuration without mistakes; the mistakes of another are printed.
  static func load(_ source: ConfigurationSource, _ output: Output) throws(CommandError) -> Configuration {
    try loadWithPlaces(source, output).configuration
  }

  /// The same, and where the sources and operators of all signals stand.
  static func loadWithPlaces(
    _ source: ConfigurationSource, _ output: Output
  ) throws(CommandError) -> (configuration: Configuration, places: StepPlaces) {
    do throws(ConfigurationError) {
      let loaded = try Configuration.loadWithPlaces(source, inputs: .systemWithoutAccounts)
      report(loaded.configuration.warnings, output)
      return loaded
    } catch {
      throw refusal(error, of: source, output)
    }
  }

  /// Prints the mistakes of a configuration, for a command that can do nothing with it.
  static func refusal(
    _ error: ConfigurationError, of source: ConfigurationSource, _ output: Output
  ) -> CommandError {
    switch error {
    case .unreadable(let error): return CommandError(.unreadable, "\(error)")
    case .invalid(let diagnostics):
      report(diagnostics, output)
      return CommandError(.badConfiguration, "\(source.path): \(counted(diagnostics.errors.count, "mistake"))")
    }
  }

  /// The same as a text.
  static func text(of error: ConfigurationError) -> String {
    switch error {
    case .unreadable(let error): "\(error)"
    case .invalid(let diagnostics): DiagnosticRenderer.text(diagnostics)
    }
  }

  /// Prints diagnostics for people.
  static func report(_ diagnostics: Diagnostics, _ output: Output) {
    output.complain(DiagnosticRenderer.lines(diagnostics))
  }
}

/// `1 mistake`, `2 mistakes`.
func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
