/// A configuration that was read and found right: what it says can run.
package struct Configuration: Sendable {
  package let server: ServerSettings
  /// In the order in which the files name them.
  package let graphs: [GraphDeclaration]
  /// What the files say that the graphs must do.
  package let tests: [GraphTest]
  /// What is doubtful about it, though not wrong.
  package let warnings: Diagnostics
  package let tree: ConfigurationTree

  /// Reads and checks; the daemon and `check` come through here alike, so what checks, starts.
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
    let graphs = tree.graphs.compactMap { GraphReader($0, context).read() }
    let tests = TestReader.tests(of: tree, graphs, context)
    guard !problems.hasErrors else { throw .invalid(problems.diagnostics) }
    return Configuration(server: server, graphs: graphs, tests: tests, warnings: problems.diagnostics, tree: tree)
  }
}

/// Why there is no configuration.
package enum ConfigurationError: Error {
  /// A file or directory could not be read at all.
  case unreadable(ConfigurationFileError)
  /// Everything that is wrong with what the files say.
  case invalid(Diagnostics)
}

extension ServerSettings {
  /// The settings that a running daemon cannot take over.
  func settingsThatNeedRestart(since old: ServerSettings) -> [String] {
    var names: [String] = []
    if socket.path != old.socket.path { names.append("server.socket.path") }
    if socket.mode != old.socket.mode { names.append("server.socket.mode") }
    if socket.group != old.socket.group { names.append("server.socket.group") }
    return names
  }
}
