internal import JSON
internal import SignalGraph

extension Command {
  static let check = Command(
    name: "check", operands: "[FILE|DIRECTORY]", summary: "find every mistake in a configuration",
    details: """
      A FILE is read alone; a DIRECTORY, and what --config names, as the daemon reads it, with conf.d beside it. Without
      any, that is /etc/signalbox/signalbox.yaml. What checks, starts. No daemon is needed.
      """,
    options: [
      Option(name: "config", letter: "c", argument: "PATH", doc: "read it as the daemon does"),
      Option(name: "format", argument: "FORMAT", doc: "text (default) or json"),
    ],
    examples: [
      Example("signalbox check graphs.yaml", "one file"),
      Example("signalbox check --config /etc/signalbox/signalbox.yaml", "what the daemon would read"),
      Example("signalbox check --format json graphs.yaml", "for editors"),
    ]
  ) { invocation throws(CommandError) in
    let format = invocation.text("format") ?? (invocation.isJSON ? "json" : "text")
    guard ["text", "json"].contains(format) else { throw .usage("--format must be text or json, not \(format)") }
    let source = try source(invocation)
    do throws(ConfigurationError) {
      let configuration = try Configuration.load(source)
      report(configuration.warnings, format, to: invocation.output)
      if format == "text" { invocation.output.line(summary(of: configuration, source)) }
    } catch {
      switch error {
      case .unreadable(let error): throw CommandError(.unreadable, "\(error)")
      case .invalid(let diagnostics):
        report(diagnostics, format, to: invocation.output)
        throw CommandError(.badConfiguration, format == "json" ? nil : counted(diagnostics.errors.count, "mistake"))
      }
    }
  }

  private static func source(_ invocation: Invocation) throws(CommandError) -> ConfigurationSource {
    let operand = try invocation.operands(0...1).first
    switch (operand, invocation.text("config")) {
    case (let path?, nil): return .alone(path)
    case (nil, let path): return .withAdditions(path ?? "/etc/signalbox/signalbox.yaml")
    case (.some, .some): throw .usage("either a FILE or --config, not both")
    }
  }

  private static func report(_ diagnostics: Diagnostics, _ format: String, to output: Output) {
    if format == "json" {
      output.line(DiagnosticRenderer.json(diagnostics).description)
    } else if !diagnostics.list.isEmpty {
      printError(String(DiagnosticRenderer.text(diagnostics).dropLast()))
    }
  }

  private static func summary(of configuration: Configuration, _ source: ConfigurationSource) -> String {
    let signals = configuration.graphs.map(\.signals.count).reduce(0, +)
    return "\(source.path): \(counted(configuration.graphs.count, "graph")), \(counted(signals, "signal")), no mistakes"
  }

  private static func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
}
