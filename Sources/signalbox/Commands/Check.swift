internal import JSON
internal import SignalGraph

extension Command {
  static let check = Command(
    name: "check", operands: "[FILE|DIRECTORY]", kinds: [.configuration],
    summary: "find every mistake in a configuration",
    details: """
      A FILE is read alone; a DIRECTORY, and what --config names, as the daemon reads it, with conf.d beside it. Without
      any, that is /etc/signalbox/signalbox.yaml. No daemon is needed. A configuration that checks, starts. A note
      tells of what only the daemon can see, such as a credential; with --unit the
      unit is read, where it is installed, and what it gives is looked at as well.

      With --against it is compared with the state of durable graphs in a folder, beside a running daemon or without
      one: for each of their signals it says whether its state is kept, or what it would forget and why. A text that only
      the daemon's environment gives counts as changed.

      With --live the objects on D-Bus that it names are asked what they are, and their services are not started: it says
      which names nobody owns, which members are not there, what has another type, and what announces no changes. Run it
      as the daemon's user, whose rights count. A bus that does not answer within 5 s is told of, with the status 69.

      With --expand it is printed as one file, with everything written out that templates give, once it is right.
      """,
    options: [
      ConfigurationFiles.option,
      Option(name: "format", argument: "FORMAT", doc: "text (default) or json", kind: .word(["text", "json"])),
      Option(
        name: "against", argument: "DIR", doc: "say what would become of the state of durable graphs in a folder",
        kind: .file),
      Option(name: "expand", doc: "print it as one file, with all templates written out"),
      Option(name: "live", doc: "compare it with what is on the message buses now"),
      Option(name: "unit", doc: "print what the service needs to be allowed for it, as a drop-in for its unit"),
      Option(
        name: "instance", argument: "NAME", doc: "with --unit: of the instance signalbox@NAME, and its configuration"),
    ],
    isOffline: true,
    examples: [
      Example("signalbox check graphs.yaml", "one file"),
      Example("signalbox check --config /etc/signalbox/signalbox.yaml", "what the daemon would read"),
      Example("signalbox check --format json graphs.yaml", "for editors"),
      Example("signalbox check --unit graphs.yaml", "what systemd has to allow"),
      Example("sudo -u signalbox signalbox check --live", "what is on D-Bus of it"),
      Example("signalbox check --expand graphs.yaml", "what templates stand for"),
      Example("sudo signalbox check --against /var/lib/signalbox graphs.yaml", "what durable graphs would forget"),
    ]
  ) { invocation throws(CommandError) in
    let format = invocation.text("format") ?? (invocation.isJSON ? "json" : "text")
    guard ["text", "json"].contains(format) else { throw .usage("--format must be text or json, not \(format)") }
    let wantsUnit = invocation.has("unit")
    if wantsUnit, format == "json" { throw .usage("--unit prints a drop-in, which is no JSON") }
    let printed = ["unit", "against", "expand", "live"].filter(invocation.has)
    if printed.count > 1 { throw .usage("either --\(printed[0]) or --\(printed[1]), not both") }
    let wantsExpansion = invocation.has("expand")
    if wantsExpansion, format == "json" { throw .usage("--expand prints YAML, which is no JSON") }
    let name = UnitName(instance: invocation.text("instance"))
    if name.instance != nil, !wantsUnit { throw .usage("--instance says of which unit, and goes with --unit") }
    guard name.isValid else {
      let found = name.instance ?? ""
      throw .usage("--instance is a name of ASCII letters, digits and :-_.\\@, as systemd takes it, not \"\(found)\"")
    }
    let source = try ConfigurationFiles.source(invocation, default: name.configuration + "/signalbox.yaml")
    let unit = wantsUnit ? ServiceUnit(name) : nil
    let (configuration, expanded): (Configuration, text: String?)
    var mentions: [BusMention] = []
    do throws(ConfigurationError) {
      let inputs = unit?.inputs ?? .elsewhere
      if wantsExpansion {
        (configuration, expanded) = try Configuration.loadExpanded(source, inputs: inputs)
      } else {
        expanded = nil
        (configuration, mentions) = try Configuration.loadMentioningBuses(source, inputs: inputs)
      }
    } catch {
      switch error {
      case .unreadable(let error): throw CommandError(.unreadable, "\(error)")
      case .invalid(let diagnostics):
        report(diagnostics, format, to: invocation.output)
        throw CommandError(.badConfiguration, format == "json" ? nil : counted(diagnostics.errors.count, "mistake"))
      }
    }
    if let folder = invocation.text("against") {
      ConfigurationFiles.report(configuration.warnings, invocation.output)
      return try StateFate.tell(configuration, against: folder, format, to: invocation.output)
    }
    if invocation.has("live") {
      try compare(mentions, of: configuration, format, to: invocation.output)
    } else {
      report(configuration.warnings, format, to: invocation.output)
    }
    if let expanded {
      for line in expanded.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
        invocation.output.line(String(line))
      }
    } else if let unit {
      tell(unit, configuration, source, to: invocation.output)
    } else if format == "text" {
      invocation.output.line(summary(of: configuration, source))
    }
  }

  /// Tells what there is to say of it together with what is on the buses.
  private static func compare(
    _ mentions: [BusMention], of configuration: Configuration, _ format: String, to output: Output
  ) throws(CommandError) {
    let live = LiveCheck(mentions)
    let diagnostics = Diagnostics(configuration.warnings.list + live.found)
    report(diagnostics, format, to: output)
    let mistakes = diagnostics.errors.count
    for reason in live.away { printError("signalbox: \(reason)") }
    if mistakes > 0 { throw CommandError(.badConfiguration, format == "json" ? nil : counted(mistakes, "mistake")) }
    if !live.away.isEmpty { throw CommandError(.unreachable, nil) }
  }

  private static func tell(
    _ unit: ServiceUnit, _ configuration: Configuration, _ source: ConfigurationSource, to output: Output
  ) {
    let socket = SocketUnit(unit.name)
    for note in unit.notes { printError("note: \(note)") }
    for difference in socket?.differences(from: configuration.server.socket) ?? [] {
      printError("warning: \(difference)")
    }
    for line in UnitDropIn(for: configuration, of: source.path, in: unit, behind: socket).lines { output.line(line) }
  }

  private static func report(_ diagnostics: Diagnostics, _ format: String, to output: Output) {
    if format == "json" {
      output.line(DiagnosticRenderer.json(diagnostics).description)
    } else {
      ConfigurationFiles.report(diagnostics, output)
    }
  }

  private static func summary(of configuration: Configuration, _ source: ConfigurationSource) -> MarkedText {
    guard configuration.openReferences.isEmpty else {
      return MarkedText("\(source.path): ") + MarkedText("no mistakes in what can be looked at here", .success)
    }
    return MarkedText(
      "\(source.path): \(counted(configuration.graphs.count, "graph")), \(counted(configuration.signalCount, "signal")), "
    )
      + MarkedText("no mistakes", .success)
  }
}
