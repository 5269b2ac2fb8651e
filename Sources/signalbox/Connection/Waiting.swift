internal import Glibc
internal import Linux

/// Waiting for descriptors (`poll(2)`), always including the reader of standard output.
enum Waiting {
  /// Waits until a descriptor is ready; returns an empty set after the deadline.
  ///
  /// - Throws: `outputClosed` once the reader of standard output has closed it.
  static func wait(
    for descriptor: Int32, _ readiness: Readiness, until deadline: MonotonicInstant?
  ) throws(CommandError) -> Readiness {
    try wait(for: [(descriptor, readiness)], until: deadline)[0]
  }

  static func wait(
    for descriptors: [(number: Int32, readiness: Readiness)], until deadline: MonotonicInstant?
  ) throws(CommandError) -> [Readiness] {
    var entries = descriptors.map {
      pollfd(fd: $0.number, events: Int16(truncatingIfNeeded: $0.readiness.rawValue), revents: 0)
    }
    entries.append(pollfd(fd: StandardStream.output.rawValue, events: 0, revents: 0))
    while true {
      let count = poll(&entries, nfds_t(entries.count), milliseconds(until: deadline))
      if count == -1 && errno == EINTR { continue }
      if count == -1 { throw CommandError(.internal, "\(Errno.last("poll"))") }
      if count == 0 && deadline.map({ MonotonicInstant.now() < $0 }) ?? true { continue }
      break
    }
    // A pipe without a reader reports an error, a terminal a hang-up; no other event was requested.
    if entries[entries.count - 1].revents != 0 { throw .outputClosed }
    return entries.dropLast().map { entry in
      let ready = Readiness(rawValue: UInt32(UInt16(bitPattern: entry.revents)))
      // An end or an error is detected by reading.
      return ready.isDisjoint(with: [.hungUp, .failed]) ? ready : ready.union(.readable)
    }
  }

  private static func milliseconds(until deadline: MonotonicInstant?) -> Int32 {
    guard let deadline else { return -1 }
    return Int32(clamping: max(.zero, deadline - .now()).milliseconds)
  }
}
