internal import GraphCatalogue
internal import GraphModel

/// The drawings of the graphs in the daemon's configuration.
final class GraphPicture {
  private let path: String
  /// The configuration, and the daemon's generation and epoch when it was read.
  private var loaded: (configuration: Configuration, generation: Int, epoch: String)?

  init(path: String) { self.path = path }

  /// Returns the configuration, which is read again after a reload of the daemon.
  func configuration(generation: Int, epoch: String) throws(Problem) -> Configuration {
    if let loaded, loaded.generation == generation, loaded.epoch == epoch { return loaded.configuration }
    do throws(ConfigurationError) {
      let configuration = try Configuration.load(.withAdditions(path), inputs: .elsewhere)
      loaded = (configuration, generation, epoch)
      return configuration
    } catch {
      throw Problem(500, "bad_config", "cannot draw the configuration: \(Self.text(of: error))")
    }
  }

  /// Returns what any client may know: a diagnostic shows the text of the files.
  private static func text(of error: ConfigurationError) -> String {
    switch error {
    case .unreadable: "it cannot be read"
    case .invalid: "it has mistakes, which `signalbox check` shows"
    }
  }

  /// Returns the names of the graphs whose visible signals may all be read.
  static func readable(_ configuration: Configuration, _ names: Set<String>) -> Set<String> {
    Set(
      configuration.graphs.filter { graph in graph.signals.allSatisfy { $0.traits.isPrivate || names.contains($0.name) }
      }
      .map(\.name))
  }
}
