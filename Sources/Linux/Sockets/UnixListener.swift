import CSystemd
import Glibc

/// A listening Unix stream socket, created here or inherited from the service manager.
package struct UnixListener: ~Copyable, Sendable {
  package let descriptor: OwnedDescriptor
  /// The path for clients, if the socket has a name in the file system.
  package let path: String?
  /// The identity of the socket file, if it was created here.
  private let file: FileIdentity?

  /// Listens at a path.
  ///
  /// Its permissions are set before `listen(2)`, until when no client can connect. A stale socket file is removed; a
  /// live one never is.
  /// - Parameters:
  ///   - mode: The permissions of the socket file; clients need write permission to connect.
  ///   - group: The group of the socket file; `nil` for that of the process.
  package init(path: String, mode: UInt32, group: UInt32? = nil) throws(ListenError) {
    if let reason = SocketPath.refusal(of: path) { throw .refused(reason: reason) }
    let socket = try SocketFile.bind(path)
    file = try SocketFile.open(socket, path: path, mode: mode, group: group)
    descriptor = socket
    self.path = path
  }

  /// Takes ownership of a listening socket; its file is not removed on close.
  package init(inherited descriptor: consuming OwnedDescriptor) throws(Errno) {
    try descriptor.setBlocking(false)
    path = UnixAddress.name(of: descriptor)
    file = nil
    self.descriptor = descriptor
  }

  /// Takes ownership of the old process's socket after a handover.
  ///
  /// - Parameter ownsFile: True if the old process created the file, which is then removed on close.
  package init(
    handedOver descriptor: consuming OwnedDescriptor, path: String?, ownsFile: Bool
  ) throws(Errno) {
    try descriptor.setBlocking(false)
    self.path = path
    // A removed file has no identity.
    file = ownsFile ? path.flatMap { FileIdentity(path: $0) } : nil
    self.descriptor = descriptor
  }

  private init(_ descriptor: consuming OwnedDescriptor, path: String?, file: FileIdentity?) {
    self.path = path
    self.file = file
    self.descriptor = descriptor
  }

  /// Returns another descriptor of the socket.
  package borrowing func duplicate() throws(Errno) -> UnixListener {
    UnixListener(try descriptor.duplicate(), path: path, file: file)
  }

  /// Changes the permissions and the group of the file, if this daemon created it.
  package borrowing func setFile(mode: UInt32, group: UInt32?) throws(Errno) {
    guard let path, ownsFile else { return }
    if let group, lchown(path, uid_t.max, group) == -1 { throw .last("chown", path) }
    if chmod(path, mode) == -1 { throw .last("chmod", path) }
  }

  /// The ownership of the socket file, which this daemon created then.
  package var ownsFile: Bool { file != nil }

  /// Accepts one connection as a non-blocking socket (`accept4(2)`); `nil` if none is pending.
  package borrowing func accept() throws(Errno) -> OwnedDescriptor? {
    let listener = descriptor.number
    let flags = Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    while true {
      let number = retryingInterrupts { accept4(listener, nil, nil, flags) }
      if number >= 0 { return OwnedDescriptor(owning: number) }
      if errno == EAGAIN { return nil }
      // The client disconnected before it was accepted.
      if errno != ECONNABORTED { throw .last("accept4", path) }
    }
  }

  /// Removes the socket file if it was created here and has not been replaced.
  package borrowing func unlink() {
    guard let path, let file, FileIdentity(path: path) == file else { return }
    _ = Glibc.unlink(path)
  }
}
