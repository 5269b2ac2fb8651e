package import GraphModel

extension Configuration {
  /// Reads and checks a configuration.
  ///
  /// The daemon and `check` share this, so a configuration that checks also starts.
  package static func load(
    _ source: ConfigurationSource, inputs: ConfigurationInputs = .system
  ) throws(ConfigurationError) -> Configuration {
    let context = ReadingContext(problems: Problems(), inputs: inputs)
    return try read(tree(source, context), context)
  }

  /// Returns the configuration, its syntax tree, and the context of the reading, which knows the expressions.
  package static func loadWithTree(
    _ source: ConfigurationSource, inputs: ConfigurationInputs
  ) throws(ConfigurationError) -> (configuration: Configuration, tree: ConfigurationTree, context: ReadingContext) {
    let context = ReadingContext(problems: Problems(), inputs: inputs)
    let tree = try tree(source, context)
    return (try read(tree, context), tree, context)
  }

  /// Returns the configuration, and everything that it names on buses, as far as that is known here.
  package static func loadMentioningBuses(
    _ source: ConfigurationSource, inputs: ConfigurationInputs = .system
  ) throws(ConfigurationError) -> (configuration: Configuration, mentions: [BusMention]) {
    let context = ReadingContext(problems: Problems(), inputs: inputs)
    var mentions: [BusMention] = []
    let configuration = try read(tree(source, context), context) { mentions += $0 }
    return (configuration, mentions.filter { !$0.isOpen(configuration.openReferences) })
  }

  /// Returns the configuration, and the places of the sources and operators of all signals.
  ///
  /// - Parameter isRecorded: True for a configuration that has run before, as a state log has it.
  package static func loadWithPlaces(
    _ source: ConfigurationSource, inputs: ConfigurationInputs = .system, isRecorded: Bool = false
  ) throws(ConfigurationError) -> (configuration: Configuration, places: StepPlaces) {
    let context = ReadingContext(problems: Problems(isRecorded: isRecorded), inputs: inputs)
    context.stepPlaces = StepPlaces()
    let configuration = try read(tree(source, context), context)
    return (configuration, context.stepPlaces ?? StepPlaces())
  }

  /// Returns the settings of the server alone; the graphs are not read.
  package static func loadServer(
    _ source: ConfigurationSource, inputs: ConfigurationInputs = .system
  ) throws(ConfigurationError) -> ServerSettings {
    let context = ReadingContext(problems: Problems(), inputs: inputs)
    let server = ServerSettings(reading: try tree(source, context).server, context)
    if context.problems.hasErrors { throw .invalid(context.problems.diagnostics) }
    return server
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

  /// - Parameter mentioned: Receives what each graph names on buses.
  private static func read(
    _ tree: ConfigurationTree, _ context: ReadingContext, mentioned: ([BusMention]) -> Void = { _ in }
  ) throws(ConfigurationError) -> Configuration {
    let problems = context.problems
    var server = ServerSettings(reading: tree.server, context)
    context.valueLimit = server.limits.value
    context.hasBus = server.dbus != nil
    context.hasCluster = tree.server?["cluster"].map { !context.reader($0).isAbsent } ?? false
    context.location = server.location
    context.namesLocation = tree.server?["location"].map { !context.reader($0).isAbsent } ?? false
    context.connections = server.connections.map { ($0.name, $0.kind.rawValue, $0.base) }
    context.announcing = server.connections.compactMap { connection in
      connection.node.map { (connection.name, $0) }
    }
    let declared = DeclaredNames(tree.graphs)
    var checks: [(DeclaredSignals) -> Void] = []
    var mentions: Mentions = [:]
    let graphs = tree.graphs.map { section in
      let reader = DeclarationReader(context, graph: section.name, declared: declared, bodies: BodyReader())
      defer {
        checks += reader.afterwards
        mentioned(reader.busMentions)
        mentions.merge(reader.mentions) { first, _ in first }
      }
      return GraphReader(section, reader).read()
    }
    let unused = DeclaredNames(tree.unused, isOpen: true)
    for section in tree.unused {
      let reader = DeclarationReader(context, graph: section.name, declared: unused, bodies: BodyReader())
      _ = GraphReader(section, reader).read()
    }
    let signals = graphs.flatMap(\.signals)
    let order = SignalOrder.of(signals, mentions, problems)
    let signalsByName = Dictionary(signals.map { ($0.name, $0) }) { first, _ in first }
    for check in checks { check(signalsByName) }
    MetricNames.check(signals, problems)
    let views = ViewReader(context, declared, signals, signalsByName).read(tree.views)
    _ = ViewReader(context, unused, [], [:]).read(tree.unusedViews)
    let tests = TestReader.tests(of: tree, graphs, context)
    guard !problems.hasErrors else { throw .invalid(problems.diagnostics) }
    for place in server.connections.indices { server.connections[place].hide(context.adapterSecrets) }
    return Configuration(
      server: server, graphs: graphs, views: views, tests: tests, buildOrder: order,
      timeZones: context.timeZones.known, warnings: problems.diagnostics,
      openReferences: problems.openReferences, files: tree.files.map(\.name))
  }
}
