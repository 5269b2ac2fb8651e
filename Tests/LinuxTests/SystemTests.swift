import Glibc
import Linux
import TestSupport
import Testing

@Suite struct `The system around the process` {
  @Test func `accounts are found by name`() {
    #expect(Accounts.userID(named: "root") == 0)
    #expect(Accounts.groupID(named: "root") == 0)
    #expect(Accounts.userID(named: "no-such-user-here") == nil)
    #expect(Accounts.groupID(named: "no-such-group-here") == nil)
  }

  @Test func `the descriptor limit rises to the hard one`() throws {
    let raised = try CurrentProcess.raiseDescriptorLimit()
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    #expect(UInt64(limit.rlim_cur) == raised && limit.rlim_cur == limit.rlim_max)
  }

  @Test func `the memory in use is known`() throws {
    #expect(try #require(CurrentProcess.residentBytes) > 1_000_000)
  }
}

@Suite(.serialized) struct `The service manager` {
  /// Runs with a datagram socket in place of the service manager's, and returns the received message.
  private func notified(_ body: () -> Void) -> String {
    let folder = TemporaryFolder()
    let receiver = OwnedDescriptor(owning: socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0))
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(folder("n").utf8)) }
    let bound = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(receiver.number, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    #expect(bound == 0)
    setenv("NOTIFY_SOCKET", folder("n"), 1)
    body()
    unsetenv("NOTIFY_SOCKET")
    var bytes = [UInt8](repeating: 0, count: 1000)
    let count = recv(receiver.number, &bytes, bytes.count, Int32(MSG_DONTWAIT))
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
  }

  @Test func `it is notified of readiness and status in one message`() {
    #expect(
      notified { ServiceManager.notify(.ready, .status("3 graphs\n7 signals")) } == "READY=1\nSTATUS=3 graphs 7 signals"
    )
    #expect(notified { ServiceManager.notify(.stopping) } == "STOPPING=1")
  }

  @Test func `a reload carries the monotonic time at which it began`() throws {
    let before = MonotonicInstant.now().nanoseconds / 1000
    let text = notified { ServiceManager.notify(.reloading) }
    let prefix = "RELOADING=1\nMONOTONIC_USEC="
    #expect(text.hasPrefix(prefix))
    let time = try #require(Int64(text.dropFirst(prefix.count)))
    #expect(time >= before && time <= MonotonicInstant.now().nanoseconds / 1000)
  }

  @Test func `only a listening Unix socket counts as one`() throws {
    let folder = TemporaryFolder()
    let listener = try UnixListener(path: folder("s"), mode: 0o600)
    #expect(ServiceManager.isListeningUnixSocket(listener.descriptor.number))
    let client = try UnixSocket.connect(path: folder("s"))
    #expect(!ServiceManager.isListeningUnixSocket(client.number))
  }
}
