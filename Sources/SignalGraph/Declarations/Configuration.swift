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

  /// Reads and checks; the daemon and `check` both come through here, so a configuration that checks also starts.
  package static func load(
    _ source: ConfigurationSource, inputs: ConfigurationInputs = .system
  ) throws(ConfigurationError) -> Configuration {
    let problems = Problems()
    let context = ReadingContext(problems: problems, inputs: inputs)
    let tree: ConfigurationTree
    do {
      tree = try ConfigurationLoader.load(source, inputs: inputs, context: context)
    } catch {
      throw .unreadable(error)
    }
    let server = ServerSettings(reading: tree.server, context)
    context.limits = server.limits
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
