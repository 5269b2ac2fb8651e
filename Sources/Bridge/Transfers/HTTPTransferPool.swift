internal import CCurl
internal import Linux

/// The transfers that share settings and connections, run by the program's loop (`libcurl-multi(3)`).
///
/// The library says which descriptors to watch and when to call it again; `Poller` and a timer do that.
final class HTTPTransferPool {
  private let multi: UnsafeMutableRawPointer
  private let settings: TransferSettings
  private let loop: EventLoop
  private let poller: Poller
  private var timer: LoopTimer?
  /// The moment that the library asked for, and the one that the timer is set to, which may be earlier.
  private var wanted: MonotonicInstant?
  private var armed: MonotonicInstant?
  private var isCallPosted = false
  private var sockets: [Int32: WatchedSocket] = [:]
  private var running: [UnsafeMutableRawPointer: HTTPTransfer] = [:]
  private var idle: [EasyHandle] = []
  private var isClosed = false

  private static let isReady: Bool = ccurl_global_init() == CURLE_OK

  init(_ settings: TransferSettings, loop: EventLoop, poller: Poller) throws(Errno) {
    guard Self.isReady, let multi = curl_multi_init() else { throw Errno(12, call: "curl_multi_init") }
    self.multi = multi
    self.settings = settings
    self.loop = loop
    self.poller = poller
    ccurl_multi_set_number(multi, CURLMOPT_MAXCONNECTS, settings.connections)
    ccurl_multi_set_loop(
      multi,
      { _, socket, what, owner, _ in
        HTTPTransferPool.pool(owner)?.watch(socket, what)
        return 0
      },
      { _, milliseconds, owner in
        HTTPTransferPool.pool(owner)?.setTimer(milliseconds)
        return 0
      }, Unmanaged.passUnretained(self).toOpaque())
    timer = try loop.addTimer { [unowned self] in timerFired() }
  }

  deinit { close() }

  /// The number of transfers on their way.
  var count: Int { running.count }

  /// Starts a transfer; its callbacks come later.
  func start(_ request: TransferRequest) -> HTTPTransfer? {
    guard !isClosed, let easy = idle.popLast() ?? EasyHandle() else { return nil }
    let transfer = HTTPTransfer(request, easy, self)
    begin(transfer)
    return transfer
  }

  /// Ends all transfers without further calls, and closes all connections.
  func close() {
    guard !isClosed else { return }
    isClosed = true
    for transfer in running.values {
      curl_multi_remove_handle(multi, transfer.pointer)
      transfer.release()
    }
    running = [:]
    idle = []
    curl_multi_cleanup(multi)
    sockets = [:]
    timer = nil
  }

  private func begin(_ transfer: HTTPTransfer) {
    transfer.prepare(settings)
    running[transfer.pointer] = transfer
    curl_multi_add_handle(multi, transfer.pointer)
  }

  func cancel(_ transfer: HTTPTransfer) {
    guard let transfer = running.removeValue(forKey: transfer.pointer) else { return }
    curl_multi_remove_handle(multi, transfer.pointer)
    transfer.release()
  }

  func resume(_ transfer: HTTPTransfer) {
    guard running[transfer.pointer] != nil else { return }
    ccurl_resume(transfer.pointer)
    callSoon()
  }

  // MARK: What the library asks for

  private static func pool(_ owner: UnsafeMutableRawPointer?) -> HTTPTransferPool? {
    owner.map { Unmanaged<HTTPTransferPool>.fromOpaque($0).takeUnretainedValue() }
  }

  private func watch(_ socket: Int32, _ what: Int32) {
    if ccurl_poll_removed(what) != 0 {
      sockets.removeValue(forKey: socket)?.close()
      return
    }
    var interest = Readiness()
    if ccurl_poll_in(what) != 0 { interest.insert(.readable) }
    if ccurl_poll_out(what) != 0 { interest.insert(.writable) }
    if let known = sockets[socket] { return known.watch(interest) }
    sockets[socket] = WatchedSocket(socket, poller, interest) { [unowned self] readiness in
      call(socket, readiness)
    }
  }

  private func setTimer(_ milliseconds: Int) {
    guard milliseconds >= 0 else {
      wanted = nil
      return
    }
    if milliseconds == 0 {
      wanted = nil
      return callSoon()
    }
    let instant = MonotonicInstant.now() + .milliseconds(milliseconds)
    wanted = instant
    // A timer that fires too early is set once more then; most transfers end long before.
    if let armed, armed <= instant { return }
    arm(instant)
  }

  private func arm(_ instant: MonotonicInstant?) {
    armed = instant
    try? timer?.set(instant)
  }

  private func timerFired() {
    armed = nil
    guard let wanted else { return }
    if wanted > .now() { return arm(wanted) }
    self.wanted = nil
    call(ccurl_no_socket(), [])
  }

  /// Calls the library in this iteration of the loop or the next, since it may not be called by itself.
  private func callSoon() {
    if isCallPosted { return }
    isCallPosted = true
    loop.post { [weak self] in
      self?.isCallPosted = false
      self?.call(ccurl_no_socket(), [])
    }
  }

  private func call(_ socket: Int32, _ readiness: Readiness) {
    guard !isClosed else { return }
    var events: Int32 = 0
    if readiness.contains(.readable) || readiness.contains(.hungUp) { events |= CURL_CSELECT_IN }
    if readiness.contains(.writable) { events |= CURL_CSELECT_OUT }
    if readiness.contains(.failed) { events |= CURL_CSELECT_ERR }
    var count: Int32 = 0
    curl_multi_socket_action(multi, socket, events, &count)
    finish()
  }

  /// Delivers the ends of transfers.
  private func finish() {
    var result = CURLE_OK
    while !isClosed, let pointer = ccurl_next_ended(multi, &result) {
      guard let transfer = running.removeValue(forKey: pointer) else { continue }
      let goesOn = transfer.finish(result)
      curl_multi_remove_handle(multi, pointer)
      transfer.easyHandle.reset()
      if goesOn {
        begin(transfer)
      } else {
        if idle.count < settings.connections { idle.append(transfer.easyHandle) }
        transfer.end()
      }
    }
  }
}

/// A descriptor of the library, watched by the poller.
private final class WatchedSocket: PollTarget {
  private let number: Int32
  private let poller: Poller
  private let handler: (Readiness) -> Void
  private var interest: Readiness
  private var key: Poller.Key?

  init(_ number: Int32, _ poller: Poller, _ interest: Readiness, _ handler: @escaping (Readiness) -> Void) {
    self.number = number
    self.poller = poller
    self.interest = interest
    self.handler = handler
    key = try? poller.add(number, self, for: interest)
  }

  func watch(_ interest: Readiness) {
    guard let key, interest != self.interest else { return }
    self.interest = interest
    try? poller.change(key, number, for: interest)
  }

  func close() {
    if let key { try? poller.remove(key, number) }
    key = nil
  }

  func ready(_ readiness: Readiness) { handler(readiness) }
}
