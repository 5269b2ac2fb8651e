internal import GraphCatalogue
internal import GraphModel
internal import Linux
internal import StateLog

/// The state folder of durable graphs for a command.
struct StateLocation {
  static let options = [
    Command.Option(name: "state", argument: "DIR", doc: "the state folder", kind: .file),
    Command.Option(
      name: "config", letter: "c", argument: "PATH", doc: "the configuration that sets the folder",
      kind: .configuration),
  ]

  /// The options of commands that ask a daemon only for the folder.
  static let ownOptions =
    options + [
      Command.Option(
        name: "socket", letter: "s", argument: "PATH",
        doc: "the socket of the daemon that uses the folder (else $SIGNALBOX_SOCKET, else \(SocketPath.ofDaemon))",
        kind: .file)
    ]

  static let defaultPath = "/var/lib/signalbox"

  let path: String
  /// The configuration of the graphs in the folder, if known.
  let configuration: String?
  /// True if the folder was found by default, and not named by the user.
  private let isFound: Bool

  private static let remedy = "give the folder with --state DIR, or the configuration with --config PATH"

  /// Finds the named folder, otherwise that of the daemon at the socket, of the default configuration or of the service
  /// manager, or the shipped one.
  init(_ invocation: Invocation) throws(CommandError) {
    let named = invocation.text("config")
    if let path = invocation.text("state") {
      self.init(path: path, configuration: named)
    } else if named == nil, let paths = try Self.daemonPaths(invocation) {
      guard let path = paths.state else {
        throw CommandError(
          .unreadable, "no graph in \(paths.configuration) is durable: there is no history; \(Self.remedy)")
      }
      self.init(path: path, configuration: paths.configuration, isFound: true)
    } else {
      let configured = try Self.configured(invocation)
      // systemd separates several directories of a unit by colons.
      let given = CurrentProcess.environment("STATE_DIRECTORY")?.split(separator: ":").first
      self.init(
        path: configured ?? given.map(String.init) ?? Self.defaultPath,
        configuration: named ?? ConfigurationFiles.defaultPath, isFound: configured == nil)
    }
  }

  init(path: String, configuration: String? = nil, isFound: Bool = false) {
    (self.path, self.configuration, self.isFound) = (path, configuration, isFound)
  }

  /// Returns the paths of the daemon that other commands would use; `nil` if none runs at the default socket.
  private static func daemonPaths(_ invocation: Invocation) throws(CommandError) -> DaemonPaths? {
    let socket = invocation.socketPath
    let isDefault = socket == SocketPath.ofDaemon
    do throws(DaemonPaths.Absence) {
      return try DaemonPaths(at: socket, invocation.output)
    } catch {
      // The shipped configuration and folder are those of the daemon at the default socket.
      if isDefault { return nil }
      switch error {
      case .unreachable(let error): throw CommandError(error.status, "\(error.message ?? socket); or \(remedy)")
      case .withheld:
        throw CommandError(
          .denied, "\(socket): only root and the daemon's user may ask for the folder; or \(remedy)")
      }
    }
  }

  /// Returns the folder of the configuration; the default configuration may be missing.
  private static func configured(_ invocation: Invocation) throws(CommandError) -> String? {
    let named = invocation.text("config")
    let source = ConfigurationSource.withAdditions(named ?? ConfigurationFiles.defaultPath)
    do throws(ConfigurationError) {
      return try Configuration.loadServer(source, inputs: .elsewhere).state
    } catch {
      if named == nil, case .unreadable = error { return nil }
      throw ConfigurationFiles.refusal(error, of: source, invocation.output)
    }
  }

  /// True if it exists, and this user may read it: the daemon's own, or root.
  var isOpen: Bool {
    guard let folder = FilePermissions(path: path), folder.isFolder else { return false }
    return CurrentProcess.userID == 0 || CurrentProcess.userID == folder.userID
  }

  /// Calls a function with the folder and the rights of its owner.
  func access<Result>(_ body: (String) throws(StorageError) -> Result) throws(CommandError) -> Result {
    try becomeOwner()
    return try translating { () throws(StorageError) in try body(path) }
  }

  /// Calls a function and translates its errors.
  func translating<Result>(_ body: () throws(StorageError) -> Result) throws(CommandError) -> Result {
    do throws(StorageError) { return try body() } catch { throw failure(error) }
  }

  /// Files created by root would be unreadable for the daemon.
  func becomeOwner() throws(CommandError) {
    guard CurrentProcess.userID == 0, let folder = FilePermissions(path: path), folder.userID != 0 else { return }
    do throws(Errno) {
      try CurrentProcess.become(user: folder.userID, group: folder.groupID)
    } catch {
      throw CommandError(.denied, "\(path) belongs to user \(folder.userID), and \(error)")
    }
  }

  func failure(_ error: StorageError) -> CommandError {
    let owner = FilePermissions(path: path)?.userID
    if CurrentProcess.userID != 0, let owner, owner != CurrentProcess.userID, [.failed, .missing].contains(error.kind) {
      return CommandError(.denied, "only root and the daemon's user may read \(path)")
    }
    let status: ExitStatus =
      switch error.kind {
      case .missing, .failed, .away: .unreadable
      case .damaged, .newerVersion: .badValue
      case .locked, .busy, .fenced: .notYet
      case .full: .unwritable
      }
    // The state log is intact, but its replay diverged.
    let isNowhere = error.kind == .damaged && !error.description.contains(path)
    let hint = isFound && status == .unreadable ? "; \(Self.remedy)" : ""
    return CommandError(status, "\(isNowhere ? StateFolder.divergence(of: path, error.description) : error)\(hint)")
  }
}
