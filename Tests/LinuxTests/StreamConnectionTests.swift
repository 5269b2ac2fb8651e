import Linux
import Testing

@Suite struct StreamConnectionTests {
  @Test func `what the peer has sent before it closed is delivered, also if nothing can be written any more`() throws {
    let loop = try EventLoop()
    let poller = try Poller()
    let polling = try poller.attach(to: loop)
    let (first, second) = try UnixSocket.pair().take()
    let stream = try StreamConnection(OwnedDescriptor(owning: first), loop: loop, poller: poller)
    var received = ""
    stream.received = { received += String(decoding: $0, as: UTF8.self) }
    stream.closed = { loop.stop() }
    let peer = OwnedDescriptor(owning: second)
    try peer.transfer.writeAll("the reason\n")
    try peer.close()
    stream.send(Array("a request\n".utf8))
    // The loop may see that it is writable before it sees that there is something to read.
    stream.ready(.writable)
    try withExtendedLifetime(polling) { _ = try loop.run() }
    #expect(received == "the reason\n")
  }
}
