internal import SignalGraph

/// The graphs of the daemon's configuration, as they are drawn.
final class GraphPicture {
  private let path: String
  /// The configuration, and the daemon's count of configurations when it was read.
  private var loaded: (configuration: Configuration, generation: Int, epoch: String)?

  init(path: String) { self.path = path }

  /// The configuration: read again once the daemon has read it again, too.
  func configuration(generation: Int, epoch: String) throws(Problem) -> Configuration {
    if let loaded, loaded.generation == generation, loaded.epoch == epoch { return loaded.configuration }
    do throws(ConfigurationError) {
      let configuration = try Configuration.load(.withAdditions(path), inputs: .elsewhere)
      loaded = (configuration, generation, epoch)
      return configuration
    } catch {
      throw Problem(500, "bad_config", "the configuration cannot be drawn: \(Self.text(of: error))")
    }
  }

  private static func text(of error: ConfigurationError) -> String {
    switch error {
    case .unreadable(let error): "\(error)"
    case .invalid(let diagnostics): "\(diagnostics.errors.first.map { "\($0)" } ?? "it has mistakes")"
    }
  }

  /// The names of the graphs of which every signal that clients can see may be read.
  static func readable(_ configuration: Configuration, _ names: Set<String>) -> Set<String> {
    Set(
      configuration.graphs.filter { graph in graph.signals.allSatisfy { $0.traits.isPrivate || names.contains($0.name) }
      }
      .map(\.name))
  }
}
