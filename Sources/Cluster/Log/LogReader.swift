internal import ReactiveCore

/// The ordered reading of a log: records follow each other without a gap, or the reader is made again.
///
/// A reader may sit on a replica that lags behind while its leader calls it current, and then ends early without a word.
/// So a reader that does not reach what is known to exist is replaced, which may place it on another replica.
struct LogReader {
  private enum State: Equatable {
    case stopped
    case reading(ReaderID)
    /// The next reader waits for its time.
    case pausing
  }

  static let heartbeat = Duration.seconds(1)
  private static let longestPause = Duration.seconds(2)

  private var state = State.stopped
  private var lastReader = 0
  private var pause = Duration.zero
  /// The number of heartbeats since the last record.
  private var idle = 0
  private(set) var deadline = Instant.distantFuture

  var isStopped: Bool { state == .stopped }

  // MARK: Events

  mutating func start(from next: UInt64, at now: Instant) -> [StreamAction] {
    lastReader += 1
    state = .reading(lastReader)
    idle = 0
    deadline = now + Self.heartbeat * 3
    return [.startReader(lastReader, from: next)]
  }

  mutating func stop() -> [StreamAction] {
    defer {
      state = .stopped
      deadline = .distantFuture
      pause = .zero
    }
    if case .reading(let reader) = state { return [.stopReader(reader)] }
    return []
  }

  /// Returns true if a delivered record is the next one.
  mutating func accepts(_ reader: ReaderID, _ sequence: UInt64, next: UInt64, at now: Instant) -> Delivery {
    guard state == .reading(reader) else { return .stale }
    if sequence > next { return .gap }
    deadline = now + Self.heartbeat * 3
    guard sequence == next else { return .stale }
    pause = .zero
    idle = 0
    return .next
  }

  enum Delivery: Equatable {
    case next
    /// A record of an abandoned reader, or one that was delivered before.
    case stale
    /// Records are missing before it.
    case gap
  }

  /// Takes a heartbeat.
  ///
  /// - Parameters:
  ///   - delivered: The sequence of the last record that was sent to this reader.
  ///   - known: The last sequence that is known to exist.
  /// - Returns: True if the reader has to be made again.
  mutating func isShort(
    _ reader: ReaderID, delivered: UInt64, next: UInt64, known: UInt64, at now: Instant
  ) -> Bool {
    guard state == .reading(reader) else { return false }
    deadline = now + Self.heartbeat * 3
    idle += 1
    return idle >= 2 && (delivered >= next || known >= next)
  }

  /// Abandons the reader; the next one starts after a pause that grows as long as none delivers anything.
  mutating func restart(at now: Instant) -> [StreamAction] {
    guard case .reading(let reader) = state else { return [] }
    state = .pausing
    deadline = now + pause
    pause = min(max(pause * 2, .milliseconds(50)), Self.longestPause)
    return [.stopReader(reader)]
  }

  mutating func timePassed(next: UInt64, at now: Instant) -> [StreamAction] {
    guard now >= deadline else { return [] }
    switch state {
    case .stopped: return []
    case .reading: return restart(at: now)
    case .pausing: return start(from: next, at: now)
    }
  }
}
