import CSystemd
import Glibc

/// An event loop: signals, timers and descriptors, handled one by one on one thread.
///
/// It is based on sd-event, which waits for events and dispatches one source per iteration. Then posted work runs,
/// followed by `iterationEnded`, which writes out the iteration's results. Iterations also feed the watchdog, which thus
/// detects one that never ends.
///
/// Client sockets are not sources of their own, since sd-event examines all its sources each time. They are registered
/// with one `Poller`, which the loop waits on if attached, with sd-event as one of its descriptors.
package final class EventLoop {
  private let event: OpaquePointer
  private var posted: [() -> Void] = []
  private var exitStatus: Int32?
  private var fault: (any Error)?
  /// The attached poller.
  weak var attachment: PollerAttachment?
  /// True if sd-event is prepared for waiting, with its timers set in the kernel.
  private var isArmed = false
  /// True if a timer has been set since then.
  private var hasNewTimes = false
  /// Called at the end of every iteration.
  package var iterationEnded: () -> Void = {}

  package init() throws(Errno) {
    var event: OpaquePointer?
    let result = sd_event_new(&event)
    guard result >= 0, let event else { throw Errno(-result, call: "sd_event_new") }
    self.event = event
  }

  deinit {
    sd_event_unref(event)
  }

  /// Feeds the service manager's watchdog, if enabled (`sd_event_set_watchdog(3)`).
  /// - Returns: True if it is enabled.
  @discardableResult
  package func feedWatchdog() throws(Errno) -> Bool {
    try checked(sd_event_set_watchdog(event, 1), "sd_event_set_watchdog") > 0
  }

  /// Runs work in this iteration or the next.
  package func post(_ work: @escaping () -> Void) {
    posted.append(work)
  }

  /// Runs iterations until `stop` or `fail` is called.
  /// - Returns: The status passed to `stop`.
  package func run() throws -> Int32 {
    while true {
      if let fault { throw fault }
      if let exitStatus { return exitStatus }
      try runIteration()
    }
  }

  /// Runs one iteration, waiting at most `timeout` for events; used directly by tests.
  package func runIteration(timeout: Duration? = nil) throws(Errno) {
    let timeout = posted.isEmpty ? timeout : .zero
    if let attachment {
      try wait(on: attachment, timeout)
    } else {
      let limit = timeout.map { UInt64(clamping: ($0.nanoseconds + 999) / 1000) } ?? UInt64.max
      try checked(sd_event_run(event, limit), "sd_event_run")
    }
    runPosted()
    iterationEnded()
  }

  /// Waits on the poller, with the parts of `sd_event_run(3)` called separately: sd-event stays prepared while none of
  /// its sources is ready or has changed.
  private func wait(on attachment: PollerAttachment, _ timeout: Duration?) throws(Errno) {
    if isArmed && hasNewTimes, try dispatch() { return }
    hasNewTimes = false
    if !isArmed {
      isArmed = try checked(sd_event_prepare(event), "sd_event_prepare") == 0
      if !isArmed {
        try checked(sd_event_dispatch(event), "sd_event_dispatch")
        return
      }
    }
    if try attachment.serve(timeout: timeout) { _ = try dispatch() }
  }

  /// Dispatches one ready source of sd-event, which must be prepared again in any case.
  /// - Returns: True if one was ready.
  private func dispatch() throws(Errno) -> Bool {
    isArmed = false
    guard try checked(sd_event_wait(event, 0), "sd_event_wait") > 0 else { return false }
    try checked(sd_event_dispatch(event), "sd_event_dispatch")
    return true
  }

  /// The descriptor that is readable when a source of sd-event is ready.
  var descriptor: Int32 { sd_event_get_fd(event) }

  /// Records that a timer has been set, which the kernel does not know yet.
  func timeWasSet() { hasNewTimes = true }

  /// Ends `run` after this iteration.
  package func stop(status: Int32 = 0) {
    exitStatus = status
  }

  /// Ends `run` after this iteration with a fatal error.
  package func fail(_ fault: any Error) {
    self.fault = fault
  }

  private func runPosted() {
    // Work posted meanwhile waits for the next iteration, so that self-posting work starves nothing else.
    let work = posted
    if work.isEmpty { return }
    posted.removeAll()
    for piece in work { piece() }
  }
}

extension EventLoop {
  /// Handles a signal, which is blocked for this thread from now on.
  package func addSignal(_ number: Int32, _ handler: @escaping () -> Void) throws(Errno) -> EventSource {
    CurrentProcess.hold(signal: number)
    return try source("sd_event_add_signal", handler) { source, data in
      sd_event_add_signal(event, &source, number, { _, _, data in EventSource.fire(data) }, data)
    }
  }

  /// Calls the handler while a descriptor is readable (level-triggered); its owner closes it.
  package func addInput(_ descriptor: Int32, _ handler: @escaping () -> Void) throws(Errno) -> EventSource {
    try source("sd_event_add_io", handler) { source, data in
      sd_event_add_io(
        event, &source, descriptor, Readiness.readable.rawValue, { _, _, _, data in EventSource.fire(data) }, data)
    }
  }

  /// Adds a timer, initially off.
  package func addTimer(_ handler: @escaping () -> Void) throws(Errno) -> LoopTimer {
    let source = try source("sd_event_add_time", handler) { source, data in
      // An accuracy of 0 would mean the default of 250 ms.
      sd_event_add_time(
        event, &source, CLOCK_MONOTONIC, UInt64.max, 1, { _, _, data in EventSource.fire(data) }, data)
    }
    try checked(sd_event_source_set_enabled(source.pointer, Int32(SD_EVENT_OFF)), "sd_event_source_set_enabled")
    return LoopTimer(source, of: self)
  }

  private func source(
    _ call: String, _ handler: @escaping () -> Void,
    _ add: (inout OpaquePointer?, UnsafeMutableRawPointer) -> Int32
  ) throws(Errno) -> EventSource {
    let source = EventSource(handler)
    try checked(add(&source.pointer, Unmanaged.passUnretained(source).toOpaque()), call)
    return source
  }
}

/// Checks the result of a libsystemd call, which is `-errno` on failure.
@discardableResult
func checked(_ result: Int32, _ call: String) throws(Errno) -> Int32 {
  if result < 0 { throw Errno(-result, call: call) }
  return result
}
