package import Base
import JSON

/// A validated configuration, ready to run.
package struct Configuration: Sendable {
  package let server: ServerSettings
  /// The graphs, in the order in which the files name them.
  package let graphs: [GraphDeclaration]
  package let views: [ViewDeclaration]
  /// The tests of the graphs.
  package let tests: [GraphTest]
  /// The signals of all graphs, each after everything that it is computed from.
  package let buildOrder: [SignalDeclaration]
  /// The time zones that the declarations name, by name; the machine's own has the empty name.
  package let timeZones: [String: TimeZone]
  /// The warnings, and the notes on references that were left open.
  package let warnings: Diagnostics
  /// The references left open because the configuration is read elsewhere than where it will run.
  package let openReferences: [OpenReference]
  /// The names of the files that it was read from, in order.
  package let files: [String]
  /// False to make values of all inputs of expressions, even where their text suffices: for comparison.
  package var readsText = true

  package init(
    server: ServerSettings, graphs: [GraphDeclaration], views: [ViewDeclaration] = [], tests: [GraphTest],
    buildOrder: [SignalDeclaration], timeZones: [String: TimeZone], warnings: Diagnostics,
    openReferences: [OpenReference], files: [String]
  ) {
    self.server = server
    self.graphs = graphs
    self.views = views
    self.tests = tests
    self.buildOrder = buildOrder
    self.timeZones = timeZones
    self.warnings = warnings
    self.openReferences = openReferences
    self.files = files
  }

  /// The number of declared signals, those of actions included.
  package var signalCount: Int { graphs.flatMap(\.signals).count { !$0.isCondition } }
}

/// The reason that a configuration could not be loaded.
package enum ConfigurationError: Error {
  /// A file or directory that could not be read.
  case unreadable(ConfigurationFileError)
  /// All errors in the files.
  case invalid(Diagnostics)
}

extension ServerSettings {
  /// Returns the changed settings that a running daemon cannot apply.
  package func settingsThatNeedRestart(since old: ServerSettings) -> [String] {
    var names: [String] = []
    if !socket.path.hasSameBytes(as: old.socket.path) { names.append("server.socket.path") }
    if socket.mode != old.socket.mode { names.append("server.socket.mode") }
    if socket.group.map(ExactText.init) != old.socket.group.map(ExactText.init) { names.append("server.socket.group") }
    if state.map(ExactText.init) != old.state.map(ExactText.init) { names.append("server.state") }
    return names
  }
}
