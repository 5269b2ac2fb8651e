/// The files that make up a configuration.
package enum ConfigurationSource: Equatable, Sendable {
  /// One file alone, as `check FILE` reads it; a directory is read as by the daemon.
  case alone(String)
  /// The daemon's form: the file, or the `signalbox.yaml` of a directory, then `conf.d` next to it.
  case withAdditions(String)

  package var path: String {
    switch self {
    case .alone(let path), .withAdditions(let path): path
    }
  }
}
