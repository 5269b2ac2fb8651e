internal import Journal
internal import Linux
internal import SignalGraph

/// The folder in which a command finds the state of durable graphs.
struct StateLocation {
  static let options = [
    Command.Option(name: "state", argument: "DIR", doc: "the folder with the state", kind: .file),
    Command.Option(
      name: "config", letter: "c", argument: "PATH", doc: "the configuration that names the folder",
      kind: .configuration),
  ]

  static let defaultPath = "/var/lib/signalbox"

  let path: String

  /// The one that is named, else the configuration's, else the service manager's, else the shipped one.
  init(_ invocation: Invocation) throws(CommandError) {
    if let path = invocation.text("state") {
      self.path = path
    } else if let path = try Self.configured(invocation) {
      self.path = path
    } else {
      // systemd gives several, separated by colons, where a unit names several.
      let given = CurrentProcess.environment("STATE_DIRECTORY")?.split(separator: ":").first
      path = given.map(String.init) ?? Self.defaultPath
    }
  }

  init(path: String) { self.path = path }

  /// The folder of the configuration; one that nobody has named need not be there.
  private static func configured(_ invocation: Invocation) throws(CommandError) -> String? {
    let named = invocation.text("config")
    let source = ConfigurationSource.withAdditions(named ?? ConfigurationFiles.defaultPath)
    do throws(ConfigurationError) {
      return try Configuration.load(source, inputs: .elsewhere).server.state
    } catch {
      if named == nil, case .unreadable = error { return nil }
      throw ConfigurationFiles.refusal(error, of: source, invocation.output)
    }
  }

  /// Whether it is there, and this user may look into it: the daemon's own, or root.
  var isOpen: Bool {
    guard let folder = FilePermissions(path: path), folder.isFolder else { return false }
    return CurrentProcess.userID == 0 || CurrentProcess.userID == folder.userID
  }

  /// Does something with the folder, with the rights of its owner.
  func access<Result>(_ body: (String) throws(StorageError) -> Result) throws(CommandError) -> Result {
    try becomeOwner()
    return try translating { () throws(StorageError) in try body(path) }
  }

  /// Does something, and translates its errors.
  func translating<Result>(_ body: () throws(StorageError) -> Result) throws(CommandError) -> Result {
    do throws(StorageError) { return try body() } catch { throw failure(error) }
  }

  /// The daemon could not read the files that root makes there.
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
      return CommandError(.denied, "\(path) is for root and the daemon's own user")
    }
    let status: ExitStatus =
      switch error.kind {
      case .missing, .failed: .unreadable
      case .damaged, .newerVersion: .badValue
      case .locked, .busy: .notYet
      case .full: .unwritable
      }
    // The journal is as it was written, and does not lead where it led.
    let isNowhere = error.kind == .damaged && !error.description.contains(path)
    return CommandError(status, "\(isNowhere ? StateFolder.damage(of: path, error.description) : error)")
  }
}
