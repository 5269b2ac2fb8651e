internal import CMicroHTTPD
internal import Linux

/// A client's connection, watched for its end from its beginning on.
///
/// The library does not look at a connection that rests, and misses an end that comes together with bytes: it takes a
/// short read for the last there is, and waits for more until its patience is over.
final class HTTPConnection: PollTarget {
  let handle: OpaquePointer
  private unowned let server: HTTPServer
  private let socket: Int32
  private var key: Poller.Key?
  private(set) var isSuspended = false
  /// Whether the client has closed its side.
  private(set) var hasShutDown = false

  init(_ handle: OpaquePointer, _ server: HTTPServer) {
    self.handle = handle
    self.server = server
    socket = cmicrohttpd_socket(handle)
    key = try? server.poller.add(socket, self, for: .peerShutDown)
  }

  /// Whether streams on it are over.
  var isOver: Bool { hasShutDown || server.isStopping }

  /// Lets it rest: the library has asked for an answer, or for bytes, and there are none.
  func suspend() {
    guard !isSuspended else { return }
    isSuspended = true
    server.suspended[ObjectIdentifier(self)] = self
    MHD_suspend_connection(handle)
  }

  /// Goes on in the coming turn.
  func resume() {
    guard isSuspended else { return }
    isSuspended = false
    server.suspended[ObjectIdentifier(self)] = nil
    MHD_resume_connection(handle)
    server.runSoon()
  }

  func ready(_ readiness: Readiness) {
    hasShutDown = true
    unwatch()
    // After a rest the library reads whatever it believes.
    suspend()
    resume()
  }

  /// The library closes its socket.
  func close() {
    unwatch()
    // At the limit of connections the library listens again only when it runs once more.
    server.runSoon()
  }

  private func unwatch() {
    if let key { try? server.poller.remove(key, socket) }
    key = nil
  }
}
