internal import CMicroHTTPD
internal import Linux

/// A connection's rest while there is nothing to send on it.
///
/// The library does not look at a connection that rests, so this does: a client that goes meanwhile wakes it.
final class HTTPSuspension: PollTarget {
  private let connection: OpaquePointer
  private unowned let server: HTTPServer
  private let socket: Int32
  private var key: Poller.Key?
  private(set) var isSuspended = false
  /// The client has gone, or has closed its side, which is taken for the same.
  private var hasGone = false

  init(_ connection: OpaquePointer, _ server: HTTPServer) {
    self.connection = connection
    self.server = server
    socket = cmicrohttpd_socket(connection)
  }

  /// Whether there is nobody to answer any more.
  var hasLeft: Bool { hasGone || server.isStopping }

  /// To be called where the library asks for an answer or for bytes, and there are none.
  func begin() {
    guard !isSuspended else { return }
    isSuspended = true
    server.suspended.insert(ObjectIdentifier(self), self)
    MHD_suspend_connection(connection)
    key = try? server.poller.add(socket, self, for: .peerShutDown)
  }

  /// Goes on in the coming turn.
  func end() {
    guard isSuspended else { return }
    isSuspended = false
    if let key { try? server.poller.remove(key, socket) }
    key = nil
    server.suspended.remove(ObjectIdentifier(self))
    MHD_resume_connection(connection)
    server.runSoon()
  }

  func ready(_ readiness: Readiness) {
    hasGone = true
    end()
  }
}

extension Dictionary where Key == ObjectIdentifier, Value == HTTPSuspension {
  fileprivate mutating func insert(_ key: ObjectIdentifier, _ value: HTTPSuspension) { self[key] = value }

  fileprivate mutating func remove(_ key: ObjectIdentifier) { removeValue(forKey: key) }
}
