import CSystemd

/// A source of calls by a loop; it is off as soon as this object is gone.
package final class EventSource {
  var pointer: OpaquePointer?
  private let handler: () -> Void

  init(_ handler: @escaping () -> Void) {
    self.handler = handler
  }

  deinit {
    sd_event_source_disable_unref(pointer)
  }

  /// The function that sd-event calls, with the source as its data.
  static func fire(_ data: UnsafeMutableRawPointer?) -> Int32 {
    guard let data else { return 0 }
    // The local reference keeps a source alive whose handler lets go of it.
    let source = Unmanaged<EventSource>.fromOpaque(data).takeUnretainedValue()
    source.handler()
    return 0
  }
}

/// A timer of a loop, which fires once at the instant it is set to.
package final class LoopTimer {
  private let source: EventSource
  private var deadline: MonotonicInstant?
  private weak var loop: EventLoop?

  init(_ source: EventSource, of loop: EventLoop) {
    self.source = source
    self.loop = loop
  }

  /// Sets the instant; `nil` switches the timer off, one that has passed fires in the coming turn.
  package func set(_ instant: MonotonicInstant?) throws(Errno) {
    // The same instant again costs nothing, but a one-shot timer that has fired must be armed anew.
    if instant == deadline && instant == nil { return }
    deadline = instant
    loop?.timeWasSet()
    guard let instant else {
      try checked(sd_event_source_set_enabled(source.pointer, Int32(SD_EVENT_OFF)), "sd_event_source_set_enabled")
      return
    }
    try checked(sd_event_source_set_time(source.pointer, instant.microseconds), "sd_event_source_set_time")
    try checked(sd_event_source_set_enabled(source.pointer, Int32(SD_EVENT_ONESHOT)), "sd_event_source_set_enabled")
  }
}
