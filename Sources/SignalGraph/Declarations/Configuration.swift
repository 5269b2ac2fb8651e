import CivilTime

/// A configuration that was read and found right, so that it can run.
package struct Configuration: Sendable {
  package let server: ServerSettings
  /// In the order in which the files name them.
  package let graphs: [GraphDeclaration]
  /// The declarations of the graphs.
  package let tests: [GraphTest]
  /// The signals of all graphs, each behind everything that it is computed from.
  let buildOrder: [SignalDeclaration]
  /// The time zones that the declarations name, by their names; that of the machine has none.
  let timeZones: [String: TimeZone]
  /// Doubtful things in it that are not wrong, and those that were left open.
  package let warnings: Diagnostics
  /// The references that were left open, since it is read elsewhere than where it is to run.
  package let openReferences: [OpenReference]
  /// The names of the files that it was read from, in order.
  package let files: [String]

  /// How many signals people have declared, those of their actions included.
  package var signalCount: Int { graphs.flatMap(\.signals).count { !$0.isCondition } }

  /// Reads and checks; the daemon and `check` both come through here, so a configuration that checks also starts.
  package static func load(
    _ source: ConfigurationSource, inputs: ConfigurationInputs = .system
  ) throws(ConfigurationError) -> Configuration {
    let context = ReadingContext(problems: Problems(), inputs: inputs)
    return try read(tree(source, context), context)
  }

  /// The same, and one file that says the same with all templates written out.
  package static func loadExpanded(
    _ source: ConfigurationSource, inputs: ConfigurationInputs = .system
  ) throws(ConfigurationError) -> (configuration: Configuration, text: String) {
    let context = ReadingContext(problems: Problems(), inputs: inputs)
    let tree = try tree(source, context)
    return (try read(tree, context), tree.text(context))
  }

  /// The same, and all that it names on buses, as far as that is known here.
  package static func loadMentioningBuses(
    _ source: ConfigurationSource, inputs: ConfigurationInputs = .system
  ) throws(ConfigurationError) -> (configuration: Configuration, mentions: [BusMention]) {
    let context = ReadingContext(problems: Problems(), inputs: inputs)
    let configuration = try read(tree(source, context), context)
    return (configuration, context.busMentions.filter { !$0.isOpen(configuration.openReferences) })
  }

  /// The same, and where the sources and operators of all signals stand.
  package static func loadWithPlaces(
    _ source: ConfigurationSource, inputs: ConfigurationInputs = .system
  ) throws(ConfigurationError) -> (configuration: Configuration, places: StepPlaces) {
    let context = ReadingContext(problems: Problems(), inputs: inputs)
    context.stepPlaces = StepPlaces()
    let configuration = try read(tree(source, context), context)
    return (configuration, context.stepPlaces ?? StepPlaces())
  }

  private static func tree(
    _ source: ConfigurationSource, _ context: ReadingContext
  ) throws(ConfigurationError) -> ConfigurationTree {
    do {
      return try ConfigurationLoader.load(source, inputs: context.inputs, context: context)
    } catch {
      throw .unreadable(error)
    }
  }

  private static func read(
    _ tree: ConfigurationTree, _ context: ReadingContext
  ) throws(ConfigurationError) -> Configuration {
    let problems = context.problems
    let server = ServerSettings(reading: tree.server, context)
    context.limits = server.limits
    context.hasBus = server.dbus != nil
    let declared = DeclaredNames(tree.graphs)
    var checks: [(DeclaredSignals) -> Void] = []
    var mentions: Mentions = [:]
    let graphs = tree.graphs.map { section in
      let reader = DeclarationReader(context, graph: section.name, declared: declared)
      defer {
        checks += reader.afterwards
        mentions.merge(reader.mentions) { first, _ in first }
      }
      return GraphReader(section, reader).read()
    }
    let unused = DeclaredNames(tree.unused, isOpen: true)
    for section in tree.unused {
      _ = GraphReader(section, DeclarationReader(context, graph: section.name, declared: unused)).read()
    }
    let signals = graphs.flatMap(\.signals)
    let order = SignalOrder.of(signals, mentions, problems)
    let signalsByName = Dictionary(signals.map { ($0.name, $0) }) { first, _ in first }
    for check in checks { check(signalsByName) }
    let tests = TestReader.tests(of: tree, graphs, context)
    guard !problems.hasErrors else { throw .invalid(problems.diagnostics) }
    return Configuration(
      server: server, graphs: graphs, tests: tests, buildOrder: order,
      timeZones: context.timeZones.known, warnings: problems.diagnostics,
      openReferences: problems.openReferences, files: tree.files.map(\.name))
  }
}

/// The reason why there is no configuration.
package enum ConfigurationError: Error {
  /// A file or directory could not be read at all.
  case unreadable(ConfigurationFileError)
  /// All mistakes in the files.
  case invalid(Diagnostics)
}

extension ServerSettings {
  /// The settings that a running daemon cannot take over.
  func settingsThatNeedRestart(since old: ServerSettings) -> [String] {
    var names: [String] = []
    if socket.path != old.socket.path { names.append("server.socket.path") }
    if socket.mode != old.socket.mode { names.append("server.socket.mode") }
    if socket.group != old.socket.group { names.append("server.socket.group") }
    if state != old.state { names.append("server.state") }
    return names
  }
}
