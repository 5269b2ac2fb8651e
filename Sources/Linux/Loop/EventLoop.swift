import CSystemd
import Glibc

/// The loop that everything of a daemon runs on: signals, timers and descriptors, one after another on one thread.
///
/// It is sd-event, which waits for what is ready and calls one source a turn. After that the work that was posted runs,
/// then `turnEnded`: the place to write out the turn's results. The watchdog is fed from the same turns, so a
/// turn that never ends is noticed.
///
/// Clients' sockets do not become sources of their own: sd-event looks at every one of its sources each time. They hang
/// on one `Poller`, on which the loop waits if it has one, with sd-event as one descriptor among theirs.
package final class EventLoop {
  private let event: OpaquePointer
  private var posted: [() -> Void] = []
  private var exitStatus: Int32?
  private var fault: (any Error)?
  /// The poller that it waits on.
  weak var attachment: PollerAttachment?
  /// Whether sd-event is ready to be waited for, its timers set in the kernel.
  private var isArmed = false
  /// Whether a timer has been set since then.
  private var hasNewTimes = false
  /// Called at the end of every turn.
  package var turnEnded: () -> Void = {}
  /// The number of turns so far.
  package private(set) var turns: UInt64 = 0

  package init() throws(Errno) {
    var event: OpaquePointer?
    let result = sd_event_new(&event)
    guard result >= 0, let event else { throw Errno(-result, call: "sd_event_new") }
    self.event = event
  }

  deinit {
    sd_event_unref(event)
  }

  /// Feeds the service manager's watchdog, if it has set one (`sd_event_set_watchdog(3)`).
  /// - Returns: whether it has.
  @discardableResult
  package func feedWatchdog() throws(Errno) -> Bool {
    try checked(sd_event_set_watchdog(event, 1), "sd_event_set_watchdog") > 0
  }

  /// Runs work in the coming turn, or still in this one.
  package func post(_ work: @escaping () -> Void) {
    posted.append(work)
  }

  /// Runs turns until `stop` or `fail` is called.
  /// - Returns: the status given to `stop`.
  package func run() throws -> Int32 {
    while true {
      if let fault { throw fault }
      if let exitStatus { return exitStatus }
      try turn()
    }
  }

  /// Waits for something to happen, at most `timeout`, and does it; tests drive the loop with this.
  package func turn(timeout: Duration? = nil) throws(Errno) {
    let timeout = posted.isEmpty ? timeout : .zero
    if let attachment {
      try wait(on: attachment, timeout)
    } else {
      let limit = timeout.map { UInt64(clamping: ($0.nanoseconds + 999) / 1000) } ?? UInt64.max
      try checked(sd_event_run(event, limit), "sd_event_run")
    }
    turns &+= 1
    runPosted()
    turnEnded()
  }

  /// The same on a poller, with the parts of `sd_event_run(3)` one by one: sd-event stays armed while nothing
  /// of its own is ready or has been changed.
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

  /// Calls one of sd-event's sources if one is ready; it has to be armed anew in any case.
  /// - Returns: whether one was.
  private func dispatch() throws(Errno) -> Bool {
    isArmed = false
    guard try checked(sd_event_wait(event, 0), "sd_event_wait") > 0 else { return false }
    try checked(sd_event_dispatch(event), "sd_event_dispatch")
    return true
  }

  /// The descriptor that is readable when a source of sd-event's is ready.
  var descriptor: Int32 { sd_event_get_fd(event) }

  /// Takes note that a timer has been set, which the kernel does not know yet.
  func timeWasSet() { hasNewTimes = true }

  /// Ends `run` after this turn.
  package func stop(status: Int32 = 0) {
    exitStatus = status
  }

  /// Ends `run` after this turn with a fault: something that the program cannot go on with.
  package func fail(_ fault: any Error) {
    self.fault = fault
  }

  private func runPosted() {
    // Work that is posted meanwhile waits for the next turn, so that work that posts itself starves nothing else.
    let work = posted
    if work.isEmpty { return }
    posted.removeAll()
    for piece in work { piece() }
  }
}

extension EventLoop {
  /// Calls when a signal arrives, which from now on does nothing else in this thread.
  package func addSignal(_ number: Int32, _ handler: @escaping () -> Void) throws(Errno) -> EventSource {
    CurrentProcess.hold(signal: number)
    return try source("sd_event_add_signal", handler) { source, data in
      sd_event_add_signal(event, &source, number, { _, _, data in EventSource.fire(data) }, data)
    }
  }

  /// Calls whenever a descriptor is readable, until all of it has been read; its owner closes it.
  package func addInput(_ descriptor: Int32, _ handler: @escaping () -> Void) throws(Errno) -> EventSource {
    try source("sd_event_add_io", handler) { source, data in
      sd_event_add_io(
        event, &source, descriptor, Readiness.readable.rawValue, { _, _, _, data in EventSource.fire(data) }, data)
    }
  }

  /// A timer, not set yet.
  package func addTimer(_ handler: @escaping () -> Void) throws(Errno) -> LoopTimer {
    let source = try source("sd_event_add_time", handler) { source, data in
      // An accuracy of 0 would stand for the default of 250 ms.
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

/// The result of a call of libsystemd, which returns `-errno` where it fails.
@discardableResult
func checked(_ result: Int32, _ call: String) throws(Errno) -> Int32 {
  if result < 0 { throw Errno(-result, call: call) }
  return result
}
