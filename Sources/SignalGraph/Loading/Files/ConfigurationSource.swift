/// The files that make up a configuration.
package enum ConfigurationSource: Sendable {
  /// One file alone, as `check FILE` reads it; a directory is read as the daemon reads it.
  case alone(String)
  /// As the daemon reads it: the file, or the `signalbox.yaml` of a directory, then `conf.d` beside it.
  case withAdditions(String)

  /// The path as it was given.
  package var path: String {
    switch self {
    case .alone(let path), .withAdditions(let path): path
    }
  }
}
