internal import CMicroHTTPD
internal import Glibc
import Linux

/// An HTTP/1.1 server on a listening socket: GNU libmicrohttpd, driven by this program's loop on its thread.
///
/// Each request is passed to the handler once its body is complete. The library enforces `HTTPLimits`, frames the
/// output and refuses invalid HTTP.
final class HTTPServer {
  typealias Handler = (HTTPExchange) -> Void

  let limits: HTTPLimits
  let poller: Poller
  let deadlines: RequestDeadlines
  /// Returns the longest body of a request, by its head, before the body is read.
  var longestBody: (HTTPRequest) -> Int
  /// The memory that long bodies share.
  var pool = HTTPBodyPool(capacity: 0)
  var suspended: [ObjectIdentifier: HTTPConnection] = [:]
  private let loop: EventLoop
  let handler: Handler
  private var daemon: OpaquePointer?
  private var epoll: PollHandler?
  private var timer: LoopTimer?
  private var willRun = false
  /// True once connections may no longer be suspended.
  private(set) var isStopping = false

  /// Serves a listening socket, which the caller keeps open.
  init(
    on listener: Int32, limits: HTTPLimits, loop: EventLoop, poller: Poller,
    _ handler: @escaping Handler
  ) throws(Errno) {
    self.limits = limits
    deadlines = try RequestDeadlines(loop)
    longestBody = { _ in limits.bodyBytes }
    self.loop = loop
    self.poller = poller
    self.handler = handler
    // The library closes its own copy at the end.
    let socket = fcntl(listener, F_DUPFD_CLOEXEC, 0)
    if socket == -1 { throw .last("fcntl") }
    let bounds = cmicrohttpd_limits(
      connections: UInt32(limits.connections), timeout_seconds: UInt32(limits.patience.milliseconds / 1000),
      connection_memory: limits.headerBytes)
    daemon = cmicrohttpd_start(
      socket, bounds, handleRequest, completeRequest, noticeConnection, decodeEscapes,
      Unmanaged.passUnretained(self).toOpaque())
    guard let daemon else {
      close(socket)
      throw Errno(errno == 0 ? EINVAL : errno, call: "MHD_start_daemon")
    }
    timer = try loop.addTimer { [unowned self] in run() }
    epoll = try PollHandler(poller, readable: cmicrohttpd_epoll(daemon)) { [unowned self] in run() }
    runSoon()
  }

  deinit { stop() }

  /// Schedules a run of the library in the next iteration.
  func runSoon() {
    if willRun || daemon == nil { return }
    willRun = true
    loop.post { [weak self] in self?.run() }
  }

  private func run() {
    willRun = false
    guard let daemon else { return }
    MHD_run(daemon)
    var milliseconds: UInt64 = 0
    guard MHD_get_timeout(daemon, &milliseconds) == .YES else {
      try? timer?.set(nil)
      return
    }
    if milliseconds == 0 { return runSoon() }
    try? timer?.set(.now() + .milliseconds(Int64(clamping: milliseconds)))
  }

  /// The number of connections.
  var connections: Int {
    daemon.map { Int(cmicrohttpd_connections($0)) } ?? 0
  }

  /// Closes all connections; exchanges and streams end.
  func stop() {
    guard let daemon else { return }
    // The library must not be stopped while a connection is suspended.
    isStopping = true
    for connection in suspended.values { connection.resume() }
    MHD_run(daemon)
    epoll = nil
    timer = nil
    self.daemon = nil
    MHD_stop_daemon(daemon)
  }
}
