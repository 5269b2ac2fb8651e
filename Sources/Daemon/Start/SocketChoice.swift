package import Linux
package import SignalGraph

/// Which socket the daemon listens on: one from the service manager, else its own.
package enum SocketChoice {
  /// Takes over or makes the socket.
  /// - Parameter path: the one from the command line, which wins over the configuration's.
  package static func listener(
    _ settings: SocketSettings, path: String?, log: Log
  ) throws(StartFailure) -> UnixListener {
    let path = path ?? settings.path
    if let inherited = try inherited() {
      if let bound = inherited.path, bound != path {
        log.warning("the socket \(bound) from the service manager is used, not the configured \(path)")
      }
      return inherited
    }
    let group = try group(settings.group)
    do throws(ListenError) {
      return try UnixListener(path: path, mode: settings.mode, group: group)
    } catch {
      throw StartFailure(error)
    }
  }

  private static func inherited() throws(StartFailure) -> UnixListener? {
    let descriptors: [ServiceManager.InheritedDescriptor]
    do throws(Errno) { descriptors = try ServiceManager.takeDescriptors() } catch { throw StartFailure(error) }
    guard let first = descriptors.first else { return nil }
    guard descriptors.count == 1, ServiceManager.isListeningUnixSocket(first.number) else {
      throw StartFailure("the service manager must pass one socket, a Unix stream socket that listens", status: 78)
    }
    do throws(Errno) {
      return try UnixListener(inherited: OwnedDescriptor(owning: first.number))
    } catch {
      throw StartFailure(error)
    }
  }

  private static func group(_ name: String?) throws(StartFailure) -> UInt32? {
    guard let name else { return nil }
    if let id = Accounts.groupID(named: name) ?? UInt32(name) { return id }
    throw StartFailure(
      "there is no group \"\(name)\" (server.socket.group): create it, or name another", status: 67)  // EX_NOUSER
  }
}
