import Daemon
import GraphModel
import Linux

/// The choice of the listening socket: one from the service manager, otherwise the daemon's own.
enum SocketChoice {
  /// Adopts or creates the socket.
  ///
  /// - Parameters:
  ///   - path: The path from the command line, which overrides the configuration's.
  ///   - former: The socket of the old process, which is kept if its path is right.
  static func listener(
    _ settings: SocketSettings, path: String?, _ inheritance: Inheritance, former: consuming UnixListener? = nil,
    log: Log
  ) throws(StartFailure) -> UnixListener {
    let settings = PrivateDaemon.socket ?? settings
    let path = path ?? settings.path
    if let inherited = try inherited(inheritance) {
      if let bound = inherited.path { warn(of: bound, unlike: settings, path: path, log: log) }
      return inherited
    }
    guard let former else { return try listener(settings, path) }
    do throws(StartFailure) {
      if former.path != path, former.ownsFile {
        let listener = try listener(settings, path)
        former.unlink()
        return listener
      }
      try apply(settings, to: former)
    } catch {
      // Clients must not be disconnected for that.
      log.error("keeping the socket of the previous process, which differs from the configuration: \(error.message)")
    }
    return former
  }

  private static func listener(_ settings: SocketSettings, _ path: String) throws(StartFailure) -> UnixListener {
    let group = try group(settings.group)
    do throws(ListenError) {
      return try UnixListener(path: path, mode: settings.mode, group: group)
    } catch {
      throw StartFailure(error)
    }
  }

  private static func apply(
    _ settings: SocketSettings, to former: borrowing UnixListener
  ) throws(StartFailure) {
    let group = try group(settings.group)
    do throws(Errno) { try former.setFile(mode: settings.mode, group: group) } catch {
      throw StartFailure(ListenError.system(error))
    }
  }

  private static func inherited(_ inheritance: Inheritance) throws(StartFailure) -> UnixListener? {
    if inheritance.hasUnexpectedDescriptors {
      throw StartFailure(
        "the service manager must pass exactly one listening Unix stream socket", status: 78)
    }
    guard let descriptor = inheritance.takeListener() else { return nil }
    do throws(Errno) { return try UnixListener(inherited: descriptor) } catch { throw StartFailure(error) }
  }

  /// Warns if the socket from the service manager differs from the configuration.
  private static func warn(of bound: String, unlike settings: SocketSettings, path: String, log: Log) {
    if bound != path {
      log.warning("using the socket \(bound) of the service manager, not the configured \(path)")
    }
    guard let file = FilePermissions(path: bound) else { return }
    if file.mode != settings.mode {
      log.warning(
        "the socket from the service manager has the mode \(octal(file.mode)), not the configured "
          + "\(octal(settings.mode)): set SocketMode= in its unit, or server.socket.mode")
    }
    if let group = settings.group, let id = groupID(group), id != file.groupID {
      log.warning(
        "the socket from the service manager has the group \(Accounts.groupName(of: file.groupID)), not the configured "
          + "\(group): set SocketGroup= in its unit, or server.socket.group")
    }
  }

  /// Returns a mode in the form of configurations and units: `0660`.
  private static func octal(_ mode: UInt32) -> String { "0" + String(mode, radix: 8) }

  private static func groupID(_ name: String) -> UInt32? { Accounts.groupID(named: name) ?? UInt32(name) }

  private static func group(_ name: String?) throws(StartFailure) -> UInt32? {
    guard let name else { return nil }
    if let id = groupID(name) { return id }
    throw StartFailure(
      "unknown group \"\(name)\" (server.socket.group): create it, or set another", status: 67)  // EX_NOUSER
  }
}
