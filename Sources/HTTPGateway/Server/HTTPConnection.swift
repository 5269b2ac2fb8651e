internal import CMicroHTTPD
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

  /// Called before the library closes its socket.
  func close() {
    unwatch()
    // At the limit on connections, the library accepts again only after another run.
    server?.runSoon()
  }

  private func unwatch() {
    if let key { try? poller.remove(key, socket) }
    key = nil
  }
}
