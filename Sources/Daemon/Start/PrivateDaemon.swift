import Glibc
package import GraphModel

/// A daemon for its user alone, started with `SIGNALBOX_PRIVATE_DIRECTORY`.
///
/// Its socket and its state are in that folder, whatever the configuration sets, and the users and groups that the
/// configuration names need not exist on this machine.
package enum PrivateDaemon {
  package static let variable = "SIGNALBOX_PRIVATE_DIRECTORY"

  /// The folder; `nil` for any other daemon.
  package static var folder: String? {
    guard let path = getenv(variable).map({ String(cString: $0) }), !path.isEmpty else { return nil }
    return path
  }

  /// Set to 1, it makes a private daemon withhold its effects.
  package static let dryRunVariable = "SIGNALBOX_DRY_RUN"

  /// True if nothing outside may change: the daemon calls, writes and publishes nothing.
  static var isDryRun: Bool { folder != nil && getenv(dryRunVariable).map { String(cString: $0) } == "1" }

  /// The socket in the folder.
  package static var socket: SocketSettings? {
    guard let folder else { return nil }
    var settings = SocketSettings()
    settings.path = "\(folder)/socket"
    settings.mode = 0o600
    return settings
  }

  /// The inputs of the configuration.
  package static var inputs: ConfigurationInputs { folder == nil ? .system : .systemWithoutAccounts }
}
