internal import CMicroHTTPD
internal import Glibc
internal import Linux

/// A client's connection, watched for its end.
///
/// The library does not poll a suspended connection, and misses an end that arrives together with bytes: it treats a
/// short read as the last available data, and waits for more until its timeout.
final class HTTPConnection: PollTarget {
  let handle: OpaquePointer
  /// The library keeps connections until the server has stopped, possibly during its deinitialisation.
  private weak var server: HTTPServer?
  private let poller: Poller
  private let socket: Int32
  private var key: Poller.Key?
  private(set) var isSuspended = false
  /// True once the client has closed its side.
  private(set) var hasShutDown = false
  /// True if the path or the query of the next request has an encoded NUL.
  private var hasNUL = false

  init(_ handle: OpaquePointer, _ server: HTTPServer) {
    self.handle = handle
    self.server = server
    poller = server.poller
    socket = cmicrohttpd_socket(handle)
    key = try? poller.add(socket, self, for: .peerShutDown)
    server.deadlines.begin(self, server.limits.requestPatience)
  }

  /// True if streams on it have ended.
  var isOver: Bool { hasShutDown || server?.isStopping ?? true }

  /// Notes an encoded NUL in the path or the query of the next request.
  func noteNUL() { hasNUL = true }

  /// Returns true if there was one since the last call.
  func takeNUL() -> Bool {
    defer { hasNUL = false }
    return hasNUL
  }

  /// Suspends the connection: the library has requested a response, or bytes, and there are none.
  func suspend() {
    guard !isSuspended else { return }
    isSuspended = true
    server?.suspended[ObjectIdentifier(self)] = self
    MHD_suspend_connection(handle)
  }

  /// Resumes it in the next iteration.
  func resume() {
    guard isSuspended else { return }
    isSuspended = false
    server?.suspended[ObjectIdentifier(self)] = nil
    MHD_resume_connection(handle)
    server?.runSoon()
  }

  func ready(_ readiness: Readiness) {
    hasShutDown = true
    unwatch()
    // A resumed library connection reads without waiting for readiness.
    suspend()
    resume()
  }

  /// Notes the head of a request, whose body follows.
  func beginBody() {
    if let server { server.deadlines.begin(self, server.limits.requestPatience) }
  }

  /// Notes bytes of the body.
  func receivedBody(_ count: Int) {
    if let server { server.deadlines.extend(self, by: .seconds(1) * count / server.limits.bodyRate) }
  }

  /// Notes the end of a request, or of reading it.
  func endRequest() { server?.deadlines.end(self) }

  /// Notes the end of a response: the connection may be idle for a while, and then has the time for another request.
  func awaitRequest() {
    if let server { server.deadlines.begin(self, server.limits.patience + server.limits.requestPatience) }
  }

  /// Answers a request that takes too long, and shuts down the connection, which the library then closes.
  ///
  /// The library cannot answer an incomplete request.
  func expire() {
    let text = "the request took too long to arrive\n"
    let answer =
      "HTTP/1.1 408 Request Timeout\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n"
      + "Content-Length: \(text.utf8.count)\r\n\r\n\(text)"
    var bytes = answer
    _ = try? bytes.withUTF8 { bytes throws(Errno) in try Transfer(socket).send(UnsafeRawBufferPointer(bytes)) }
    shutdown(socket, Int32(SHUT_RDWR))
  }

  /// Called before the library closes its socket.
  func close() {
    unwatch()
    endRequest()
    // At the limit on connections, the library accepts again only after another run.
    server?.runSoon()
  }

  private func unwatch() {
    if let key { try? poller.remove(key, socket) }
    key = nil
  }
}
