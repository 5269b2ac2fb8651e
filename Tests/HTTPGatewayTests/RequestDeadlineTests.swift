import Glibc
import Linux
import TestSupport
import Testing

@testable import HTTPGateway

/// The time that a client has to send a request.
@Suite struct RequestDeadlineTests {
  private let folder = TemporaryFolder()

  /// Serves one client that sends bytes in turn, one after each pause, until it has the end of the connection.
  ///
  /// - Returns: What it has received.
  private func serve(_ start: String, then drip: String, limits: HTTPLimits) throws -> String {
    let loop = try EventLoop()
    let poller = try Poller()
    let polling = try poller.attach(to: loop)
    let listener = try UnixListener(path: folder("s"), mode: 0o600)
    let server = try HTTPServer(on: listener.descriptor.number, limits: limits, loop: loop, poller: poller) {
      $0.respond(HTTPResponse(200, type: "text/plain", "done"))
    }
    let client = try UnixSocket.connect(path: folder("s"))
    try client.transfer.writeAll(start)
    var rest = drip.utf8.map { $0 }[...]
    var timer: LoopTimer?
    timer = try loop.addTimer {
      if let byte = rest.popFirst() { try? client.transfer.writeAll([byte]) }
      try? timer?.set(.now() + .milliseconds(20))
    }
    try timer?.set(.now())
    var received = ""
    let reading = try PollHandler(poller, readable: client.number) {
      guard let bytes = try? client.transfer.read(upTo: 4096), !bytes.isEmpty else { return loop.stop() }
      received += String(decoding: bytes, as: UTF8.self)
    }
    try withExtendedLifetime((polling, reading)) { _ = try loop.run() }
    timer = nil
    server.stop()
    #expect(!rest.isEmpty, "it had time for everything")
    return received
  }

  private var limits: HTTPLimits {
    var limits = HTTPLimits(connections: 10)
    limits.requestPatience = .milliseconds(200)
    return limits
  }

  @Test func `a head that arrives byte by byte is too late, and the connection is closed`() throws {
    let drip = String(repeating: "x", count: 1000)
    #expect(try serve("GET / HTTP/1.1\r\nX: ", then: drip, limits: limits).hasPrefix("HTTP/1.1 408 "))
  }

  @Test func `a body that arrives byte by byte is too late`() throws {
    let head = "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n"
    let drip = String(repeating: "x", count: 1000)
    #expect(try serve(head, then: drip, limits: limits).hasPrefix("HTTP/1.1 408 "))
  }

  @Test func `a body that arrives at the least rate has its time`() throws {
    var limits = limits
    // Each byte is worth as much as the pause until the next one, and more.
    limits.bodyRate = 20
    let head = "POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 30\r\n\r\n"
    let drip = String(repeating: "x", count: 31)
    #expect(try serve(head, then: drip, limits: limits).hasPrefix("HTTP/1.1 200 "))
  }

  @Test func `an idle connection has the time for another request after its pause`() throws {
    var limits = limits
    limits.patience = .seconds(1)
    let head = "GET / HTTP/1.1\r\nHost: x\r\n\r\nGET / HTTP/1.1\r\nX: "
    let received = try serve(head, then: String(repeating: "x", count: 1000), limits: limits)
    #expect(received.hasPrefix("HTTP/1.1 200 ") && received.contains("HTTP/1.1 408 "))
  }
}
