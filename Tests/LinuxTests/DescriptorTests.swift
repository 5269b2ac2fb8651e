import Glibc
import Linux
import Testing

@Suite struct `Owned descriptors` {
  private func isOpen(_ number: Int32) -> Bool { fcntl(number, F_GETFD) != -1 }

  @Test func `the end of the owner closes the other end of a pair`() throws {
    let pair = try UnixSocket.pair()
    let (first, second) = pair.take()
    let reader = OwnedDescriptor(owning: first)
    do { _ = OwnedDescriptor(owning: second) }
    #expect(try readOnce(reader.transfer) == .end)
  }

  @Test func `release gives the number up without closing it`() throws {
    let (first, second) = try UnixSocket.pair().take()
    let number = OwnedDescriptor(owning: first).release()
    #expect(isOpen(number))
    close(number)
    close(second)
  }

  @Test func `what is written is read, and nothing more is there`() throws {
    let (first, second) = try UnixSocket.pair().take()
    let writer = OwnedDescriptor(owning: first)
    let reader = OwnedDescriptor(owning: second)
    try reader.setBlocking(false)
    try writer.transfer.writeAll("hello\n")
    var bytes = [UInt8](repeating: 0, count: 64)
    let result = try bytes.withUnsafeMutableBytes { try reader.transfer.read(into: $0) }
    #expect(result == .bytes(6))
    #expect(try readOnce(reader.transfer) == .wouldBlock)
  }

  @Test func `writing to a peer that has gone is an error and no signal`() throws {
    let (first, second) = try UnixSocket.pair().take()
    let writer = OwnedDescriptor(owning: first)
    close(second)
    #expect(throws: Errno(EPIPE, call: "send")) {
      try withUnsafeBytes(of: UInt64(1)) { _ = try writer.transfer.send($0) }
    }
  }

  @Test func `a failed call names itself, its subject and the reason`() {
    let error = Errno(ENOENT, call: "open", subject: "/nowhere")
    #expect(error.description == "open /nowhere: No such file or directory")
    #expect(Errno(EBADF, call: "read").description == "read: Bad file descriptor")
  }

  private func readOnce(_ transfer: Transfer) throws -> ReadResult {
    try withUnsafeTemporaryAllocation(byteCount: 64, alignment: 1) { try transfer.read(into: $0) }
  }
}
