import Glibc

/// The file that a listening Unix socket has in the file system: making it, and clearing one away that is left over.
enum SocketFile {
  /// Binds a new socket to a path, in place of a stale one if there is one.
  static func bind(_ path: String) throws(ListenError) -> OwnedDescriptor {
    for _ in 0..<3 {
      if let socket = try bindIfFree(path) { return socket }
      try removeStale(path)
    }
    throw .inUse(path: path)
  }

  /// Sets the permissions and the group of a bound socket's file, then listens.
  /// - Returns: which file it is.
  static func open(
    _ socket: borrowing OwnedDescriptor, path: String, mode: UInt32, group: UInt32?
  ) throws(ListenError) -> FileIdentity? {
    do throws(Errno) {
      if let group, lchown(path, uid_t.max, group) == -1 { throw .last("chown", path) }
      if chmod(path, mode) == -1 { throw .last("chmod", path) }
      if listen(socket.number, SOMAXCONN) == -1 { throw .last("listen", path) }
      try socket.setBlocking(false)
      return FileIdentity(path: path)
    } catch {
      _ = unlink(path)
      throw .system(error)
    }
  }

  private static func bindIfFree(_ path: String) throws(ListenError) -> OwnedDescriptor? {
    do throws(Errno) {
      let address = try UnixAddress(path: path)
      let socket = try UnixSocket.make()
      let number = socket.number
      if address.withSocketAddress({ Glibc.bind(number, $0, $1) }) == 0 { return socket }
      if errno != EADDRINUSE { throw .last("bind", path) }
      return nil
    } catch {
      throw .system(error)
    }
  }

  /// Removes a socket file that no process listens on.
  ///
  /// Between its `bind` and its `listen` another process's socket refuses too, so it is tried twice; and the file that
  /// is removed must be the one that was tried.
  private static func removeStale(_ path: String) throws(ListenError) {
    guard let found = FileIdentity(path: path) else { return }
    if !found.isSocket { throw .notASocket(path: path) }
    if isLive(path) { throw .inUse(path: path) }
    usleep(20_000)
    if isLive(path) { throw .inUse(path: path) }
    if FileIdentity(path: path) == found && unlink(path) == -1 && errno != ENOENT {
      throw .system(.last("unlink", path))
    }
  }

  /// Whether a process listens; a full queue or a lack of rights is a sign of life as well.
  private static func isLive(_ path: String) -> Bool {
    do throws(Errno) {
      _ = try UnixSocket.connect(path: path, blocking: false)
      return true
    } catch {
      return error.number != ECONNREFUSED && error.number != ENOENT
    }
  }
}
