import Glibc
package import GraphModel
package import Linux
import StateLog

/// The choice of the state folder of durable graphs: that of a private daemon, otherwise the configuration's, otherwise
/// the service manager's.
package enum StateChoice {
  /// Returns the folder for the state log of a home.
  package static func folder(of home: Home, _ configuration: Configuration) throws(StartFailure) -> String {
    if home == .folder { return try folder(configuration) }
    throw StartFailure("\(home.subject): this version has no state logs but folders", status: 78)
  }

  /// Returns the folder for a configuration with durable graphs.
  static func folder(_ configuration: Configuration) throws(StartFailure) -> String {
    if let path = PrivateDaemon.folder { return "\(path)/state" }
    if let path = configuration.server.state { return path }
    // systemd separates several directories of a unit by colons.
    let given = getenv("STATE_DIRECTORY").map { String(cString: $0) } ?? ""
    if let path = given.split(separator: ":").first { return String(path) }
    let graph = configuration.graphs.first { $0.durability != nil }?.name ?? ""
    throw StartFailure(
      "graph \"\(graph)\" is durable, but no state folder is set: add \"state: /var/lib/signalbox\" under "
        + "server, or StateDirectory=signalbox to the unit", status: 78)
  }
}

extension StartFailure {
  init(_ error: StorageError) {
    let status: Int32 =
      switch error.kind {
      case .locked, .fenced: 69  // EX_UNAVAILABLE
      case .missing, .newerVersion, .damaged: 65  // EX_DATAERR
      case .failed where error.names(EACCES, EPERM, EROFS) || error.finding.contains("readonly database"):
        77  // EX_NOPERM
      case .failed where error.names(ENOENT, ENOTDIR) || error.finding.hasSuffix("is not a directory"):
        73  // EX_CANTCREAT
      case .full, .busy, .away, .failed: 74  // EX_IOERR
      }
    self.init("\(error)", status: status)
  }
}

extension StorageError {
  /// True if it has the system's words for one of these errors, which is all that is left of them.
  fileprivate func names(_ numbers: Int32...) -> Bool {
    numbers.contains { finding.contains(": \(Errno($0, call: "").reason)") }
  }
}
