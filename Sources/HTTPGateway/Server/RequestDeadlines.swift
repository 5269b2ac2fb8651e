internal import Linux

/// The connections whose clients are sending a request; each has a deadline until it must be complete.
final class RequestDeadlines {
  private struct Entry {
    let connection: HTTPConnection
    var deadline: MonotonicInstant
  }

  /// The shortest time between two checks.
  private static let pause = Duration.milliseconds(100)

  private var entries: [ObjectIdentifier: Entry] = [:]
  private var timer: LoopTimer?
  /// The time of the next check, which is not later than any deadline.
  private var next: MonotonicInstant?

  init(_ loop: EventLoop) throws(Errno) {
    timer = try loop.addTimer { [unowned self] in check() }
  }

  /// Sets the time that a connection has from now on.
  func begin(_ connection: HTTPConnection, _ patience: Duration) {
    let deadline = MonotonicInstant.now() + patience
    entries[ObjectIdentifier(connection)] = Entry(connection: connection, deadline: deadline)
    watch(deadline)
  }

  /// Gives a connection more time, if it has a deadline.
  func extend(_ connection: HTTPConnection, by time: Duration) {
    guard let deadline = entries[ObjectIdentifier(connection)]?.deadline else { return }
    entries[ObjectIdentifier(connection)]?.deadline = deadline + time
  }

  func end(_ connection: HTTPConnection) { entries[ObjectIdentifier(connection)] = nil }

  private func watch(_ time: MonotonicInstant) {
    if let next, next <= time { return }
    next = time
    try? timer?.set(time)
  }

  private func check() {
    next = nil
    let now = MonotonicInstant.now()
    for entry in entries.values where entry.deadline <= now {
      end(entry.connection)
      entry.connection.expire()
    }
    if let first = entries.values.map(\.deadline).min() { watch(max(first, now + Self.pause)) }
  }
}
