import CSystemd

/// An event source of a loop, removed with this object.
package final class EventSource {
  var pointer: OpaquePointer?
  private let handler: () -> Void

  init(_ handler: @escaping () -> Void) {
    self.handler = handler
  }

  deinit {
    sd_event_source_disable_unref(pointer)
  }

  /// The callback for sd-event, with the source as its data.
  static func fire(_ data: UnsafeMutableRawPointer?) -> Int32 {
    guard let data else { return 0 }
    // The local reference keeps the source alive if its handler releases it.
    let source = Unmanaged<EventSource>.fromOpaque(data).takeUnretainedValue()
    source.handler()
    return 0
  }
}

/// A one-shot timer of a loop.
package final class LoopTimer {
  private let source: EventSource
  private var deadline: MonotonicInstant?
  private weak var loop: EventLoop?

  init(_ source: EventSource, of loop: EventLoop) {
    self.source = source
    self.loop = loop
  }

  /// Sets the due time; `nil` disables the timer, a past instant fires in the next iteration.
  package func set(_ instant: MonotonicInstant?) throws(Errno) {
    // Disabling it again costs nothing, but a one-shot timer that has fired must be set again, even to an equal
    // instant.
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
