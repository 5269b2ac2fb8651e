import Glibc
import Linux
import TestSupport
import Testing

@Suite struct `A listening socket` {
  private let folder = TemporaryFolder()

  @Test func `a client connects and is accepted without blocking`() throws {
    let listener = try UnixListener(path: folder("s"), mode: 0o600)
    #expect(try accepts(listener) == false)
    let client = try UnixSocket.connect(path: folder("s"))
    #expect(try accepts(listener))
    _ = client
  }

  @Test func `its file gets the mode and the group`() throws {
    let listener = try UnixListener(path: folder("s"), mode: 0o640, group: getegid())
    var status = stat()
    #expect(lstat(folder("s"), &status) == 0)
    #expect(status.st_mode & 0o777 == 0o640)
    #expect(status.st_gid == getegid())
    _ = listener
  }

  @Test func `a stale socket is replaced`() throws {
    _ = try UnixListener(path: folder("s"), mode: 0o600)  // closed at once, its file stays
    let listener = try UnixListener(path: folder("s"), mode: 0o600)
    _ = try UnixSocket.connect(path: folder("s"))
    #expect(try accepts(listener))
  }

  @Test func `a live socket is left alone`() throws {
    let first = try UnixListener(path: folder("s"), mode: 0o600)
    #expect(throws: ListenError.inUse(path: folder("s"))) { _ = try UnixListener(path: folder("s"), mode: 0o600) }
    _ = try UnixSocket.connect(path: folder("s"))
    #expect(try accepts(first))
  }

  // Root may connect to every socket.
  @Test(.enabled(if: geteuid() != 0)) func `a socket that may not be connected to is left alone, and said so`() throws {
    let listener = try UnixListener(path: folder("s"), mode: 0o000)
    #expect(throws: ListenError.foreign(Errno(EACCES, call: "connect", subject: folder("s")))) {
      _ = try UnixListener(path: folder("s"), mode: 0o600)
    }
    #expect(access(folder("s"), F_OK) == 0)
    _ = listener
  }

  @Test func `a live socket whose queue is full is left alone`() throws {
    let listener = try UnixListener(path: folder("s"), mode: 0o600)
    #expect(listen(listener.descriptor.number, 0) == 0)
    let first = try UnixSocket.connect(path: folder("s"))
    #expect(throws: ListenError.inUse(path: folder("s"))) { _ = try UnixListener(path: folder("s"), mode: 0o600) }
    _ = first
  }

  @Test func `a file that is no socket is left alone`() throws {
    try withUnsafeBytes(of: UInt8(1)) { try RegularFile.write($0, to: folder("s")) }
    #expect(throws: ListenError.notASocket(path: folder("s"))) {
      _ = try UnixListener(path: folder("s"), mode: 0o600)
    }
    #expect(try RegularFile.read(folder("s"), limit: 10) == [1])
  }

  @Test func `unlinking removes its own file and no other`() throws {
    let listener = try UnixListener(path: folder("s"), mode: 0o600)
    #expect(rename(folder("s"), folder("t")) == 0)
    let other = try UnixListener(path: folder("s"), mode: 0o600)
    listener.unlink()
    #expect(access(folder("s"), F_OK) == 0)
    other.unlink()
    #expect(access(folder("s"), F_OK) == -1)
  }

  @Test func `an inherited socket knows its path and leaves its file`() throws {
    let listener = try UnixListener(path: folder("s"), mode: 0o600)
    let inherited = try UnixListener(inherited: listener.descriptor.duplicate())
    #expect(inherited.path == folder("s"))
    inherited.unlink()
    #expect(access(folder("s"), F_OK) == 0)
  }

  @Test func `a path that is too long is an error of its own`() {
    let path = folder(String(repeating: "x", count: 120))
    #expect(throws: ListenError.system(Errno(ENAMETOOLONG, call: "socket path", subject: path))) {
      _ = try UnixListener(path: path, mode: 0o600)
    }
  }

  @Test func `an abstract socket is refused, and no file of its name is made`() {
    #expect(throws: ListenError.refused(reason: SocketPath.refusal(of: "@signalbox") ?? "")) {
      _ = try UnixListener(path: "@signalbox", mode: 0o600)
    }
    #expect(access("@signalbox", F_OK) == -1)
    #expect(SocketPath.refusal(of: "./@signalbox") == nil)
  }

  private func accepts(_ listener: borrowing UnixListener) throws -> Bool {
    if let connection = try listener.accept() {
      _ = consume connection
      return true
    }
    return false
  }
}

@Suite struct `The peer of a connection` {
  @Test func `it is known by its user and all its groups`() throws {
    let (first, second) = try UnixSocket.pair().take()
    let ours = OwnedDescriptor(owning: first)
    let peer = try PeerCredentials(of: ours.number)
    close(second)
    #expect(peer.processID == getpid())
    #expect(peer.userID == geteuid())
    #expect(peer.isMember(of: getegid()))
    var groups = [gid_t](repeating: 0, count: 256)
    let count = getgroups(256, &groups)
    #expect(peer.groups.sorted() == groups.prefix(Int(count)).sorted())
    #expect(!peer.isMember(of: 4_000_000_000))
  }
}
