import Glibc

/// The file of a listening Unix socket: its creation, and the removal of a stale one.
enum SocketFile {
  /// Binds a new socket to a path; replaces a stale one.
  static func bind(_ path: String) throws(ListenError) -> OwnedDescriptor {
    for _ in 0..<3 {
      if let socket = try bindIfFree(path) { return socket }
      try removeStale(path)
    }
    throw .inUse(path: path)
  }

  /// Sets the permissions and the group of a bound socket's file, then listens.
  /// - Returns: The identity of the file.
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

  /// Removes a socket file without a listening process.
  ///
  /// Between its `bind` and `listen`, another process's socket refuses connections too, so two attempts are made; and
  /// the removed file must be the one that was tried.
  private static func removeStale(_ path: String) throws(ListenError) {
    guard let found = FileIdentity(path: path) else { return }
    if !found.isSocket { throw .notASocket(path: path) }
    try requireStale(path)
    usleep(20_000)
    try requireStale(path)
    if FileIdentity(path: path) == found && unlink(path) == -1 && errno != ENOENT {
      throw .system(.last("unlink", path))
    }
  }

  /// Fails if a process is listening; a full queue indicates one as well.
  ///
  /// Without permission to connect there might be one, so the file is left alone.
  private static func requireStale(_ path: String) throws(ListenError) {
    do throws(Errno) { _ = try UnixSocket.connect(path: path, blocking: false) } catch {
      if error.number == ECONNREFUSED || error.number == ENOENT { return }
      if error.isDenied { throw .foreign(error) }
    }
    throw .inUse(path: path)
  }
}
