import Glibc
import Journal
import SignalGraph

/// Which folder holds the state of durable graphs: the configuration's, else the service manager's.
enum StateChoice {
  /// The folder for a configuration with durable graphs.
  static func folder(_ configuration: Configuration) throws(StartFailure) -> String {
    if let path = configuration.server.state { return path }
    // systemd gives several, separated by colons, where a unit names several.
    let given = getenv("STATE_DIRECTORY").map { String(cString: $0) } ?? ""
    if let path = given.split(separator: ":").first { return String(path) }
    let graph = configuration.graphs.first { $0.durability != nil }?.name ?? ""
    throw StartFailure(
      "graph \"\(graph)\" is durable, and no folder is given for its state: write \"state: /var/lib/signalbox\" under "
        + "server, or StateDirectory=signalbox into the unit", status: 78)
  }
}

extension StartFailure {
  init(_ error: StorageError) {
    let status: Int32 =
      switch error.kind {
      case .locked: 69  // EX_UNAVAILABLE
      case .missing, .newerVersion, .damaged: 65  // EX_DATAERR
      case .full, .busy, .failed: 74  // EX_IOERR
      }
    self.init("\(error)", status: status)
  }
}
