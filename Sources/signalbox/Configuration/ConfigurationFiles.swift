internal import GraphCatalogue
internal import GraphModel

/// The configuration files of commands that need no daemon.
enum ConfigurationFiles {
  static let defaultPath = "/etc/signalbox/signalbox.yaml"

  static let option = Command.Option(
    name: "config", letter: "c", argument: "PATH", doc: "read it as the daemon does, including conf.d",
    kind: .configuration
  )

  /// Returns the file named by an operand or `--config`, otherwise the daemon's own.
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

  /// Loads a valid configuration; the errors of an invalid one are printed.
  static func load(_ source: ConfigurationSource, _ output: Output) throws(CommandError) -> Configuration {
    try loadWithPlaces(source, output).configuration
  }

  /// Loads a valid configuration, with the positions of the sources and operators of all signals.
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

  /// Prints the errors of a configuration that a command cannot use.
  static func refusal(
    _ error: ConfigurationError, of source: ConfigurationSource, _ output: Output
  ) -> CommandError {
    switch error {
    case .unreadable(let error): return CommandError(.unreadable, "\(error)")
    case .invalid(let diagnostics):
      report(diagnostics, output)
      return CommandError(.badConfiguration, "\(source.path): \(counted(diagnostics.errors.count, "error"))")
    }
  }

  /// Returns the errors as a text.
  static func text(of error: ConfigurationError) -> String {
    switch error {
    case .unreadable(let error): "\(error)"
    case .invalid(let diagnostics): DiagnosticRenderer.text(diagnostics)
    }
  }

  /// Prints diagnostics in readable form.
  static func report(_ diagnostics: Diagnostics, _ output: Output) {
    output.complain(DiagnosticRenderer.lines(diagnostics))
  }
}

/// Returns a count with its noun: `1 error`, `2 errors`.
func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
