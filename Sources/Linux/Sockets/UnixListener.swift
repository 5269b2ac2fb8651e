import CSystemd
import Glibc

/// A listening Unix stream socket, bound here or handed over by the service manager.
package struct UnixListener: ~Copyable, Sendable {
  package let descriptor: OwnedDescriptor
  /// The path at which clients find it, if it has a name in the file system.
  package let path: String?
  /// The socket file, if it was made here.
  private let file: FileIdentity?

  /// Listens at a path.
  ///
  /// Its permissions are set before `listen(2)`, and before that nobody can connect. A socket file that no process
  /// listens on any more is removed; a live one never is.
  /// - Parameters:
  ///   - mode: the permissions of the socket file; connecting takes the right to write.
  ///   - group: the group of the socket file; `nil` leaves the process's own.
  package init(path: String, mode: UInt32, group: UInt32? = nil) throws(ListenError) {
    let socket = try SocketFile.bind(path)
    file = try SocketFile.open(socket, path: path, mode: mode, group: group)
    descriptor = socket
    self.path = path
  }

  /// Takes over a socket that listens already; its file is not removed at the end.
  package init(inherited descriptor: consuming OwnedDescriptor) throws(Errno) {
    try descriptor.setBlocking(false)
    path = UnixAddress.name(of: descriptor)
    file = nil
    self.descriptor = descriptor
  }

  /// Takes over the socket of the process before this one.
  ///
  /// - Parameter ownsFile: Whether that had made its file, which is removed at the end then.
  package init(
    handedOver descriptor: consuming OwnedDescriptor, path: String?, ownsFile: Bool
  ) throws(Errno) {
    try descriptor.setBlocking(false)
    self.path = path
    // One that somebody has removed is nobody's.
    file = ownsFile ? path.flatMap { FileIdentity(path: $0) } : nil
    self.descriptor = descriptor
  }

  private init(_ descriptor: consuming OwnedDescriptor, path: String?, file: FileIdentity?) {
    self.path = path
    self.file = file
    self.descriptor = descriptor
  }

  /// The same socket once more.
  package borrowing func duplicate() throws(Errno) -> UnixListener {
    UnixListener(try descriptor.duplicate(), path: path, file: file)
  }

  /// Gives its file, if that was made by this daemon, other permissions and another group.
  package borrowing func setFile(mode: UInt32, group: UInt32?) throws(Errno) {
    guard let path, ownsFile else { return }
    if let group, lchown(path, uid_t.max, group) == -1 { throw .last("chown", path) }
    if chmod(path, mode) == -1 { throw .last("chmod", path) }
  }

  /// Whether its file was made by this daemon.
  package var ownsFile: Bool { file != nil }

  /// Accepts one connection as a non-blocking socket (`accept4(2)`); `nil` if no client waits.
  package borrowing func accept() throws(Errno) -> OwnedDescriptor? {
    let listener = descriptor.number
    let flags = Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    while true {
      let number = retryingInterrupts { accept4(listener, nil, nil, flags) }
      if number >= 0 { return OwnedDescriptor(owning: number) }
      if errno == EAGAIN { return nil }
      // The client left before its turn.
      if errno != ECONNABORTED { throw .last("accept4", path) }
    }
  }

  /// Removes the socket file, if it was made here and is still the same one.
  package borrowing func unlink() {
    guard let path, let file, FileIdentity(path: path) == file else { return }
    _ = Glibc.unlink(path)
  }
}
