internal import Signals

/// The ordered reading of a log: records follow each other without a gap, or the reader is made again.
///
/// A reader may sit on a replica that lags behind while its leader calls it current, and then ends early and silently.
/// So a reader that does not reach what is known to exist is replaced, which may place it on another replica.
///
/// Servers that choose a leader may take seconds to make a reader. So the request is repeated, which makes none twice, and
/// the reader is not given up before that: each one anew would wait for all those before it.
struct LogReader {
  private enum State: Equatable {
    case stopped
    /// The servers have been asked for the reader, and it has delivered nothing yet.
    case starting(ReaderID, until: Instant)
    case reading(ReaderID)
    /// The next reader waits for its time.
    case pausing
  }

  static let heartbeat = Duration.seconds(1)
  private static let longestPause = Duration.seconds(2)
  /// The time for a reader to begin, and for each request for it.
  private static let longestStart = Duration.seconds(10)
  private static let repetition = Duration.seconds(1)

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
    state = .starting(lastReader, until: now + Self.longestStart)
    idle = 0
    deadline = now + Self.repetition
    return [.startReader(lastReader, from: next)]
  }

  /// The reader that is asked for or reads.
  private var reader: ReaderID? {
    switch state {
    case .starting(let reader, _), .reading(let reader): reader
    case .stopped, .pausing: nil
    }
  }

  /// Takes note of a heartbeat.
  private mutating func heard(_ reader: ReaderID, at now: Instant) {
    state = .reading(reader)
    deadline = now + Self.heartbeat * 3
  }

  mutating func stop() -> [StreamAction] {
    defer {
      state = .stopped
      deadline = .distantFuture
      pause = .zero
    }
    return reader.map { [.stopReader($0)] } ?? []
  }

  /// Returns true if a delivered record is the next one.
  mutating func accepts(_ reader: ReaderID, _ sequence: UInt64, next: UInt64, at now: Instant) -> Delivery {
    guard self.reader == reader else { return .stale }
    heard(reader, at: now)
    if sequence > next { return .gap }
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
    guard self.reader == reader else { return false }
    heard(reader, at: now)
    idle += 1
    return idle >= 2 && (delivered >= next || known >= next)
  }

  /// Abandons the reader; the next one starts after a pause that grows as long as none delivers anything.
  mutating func restart(at now: Instant) -> [StreamAction] {
    guard let reader else { return [] }
    state = .pausing
    deadline = now + pause
    pause = min(max(pause * 2, .milliseconds(50)), Self.longestPause)
    return [.stopReader(reader)]
  }

  mutating func timePassed(next: UInt64, at now: Instant) -> [StreamAction] {
    guard now >= deadline else { return [] }
    switch state {
    case .stopped: return []
    case .starting(let reader, let until) where now < until:
      deadline = now + Self.repetition
      return [.startReader(reader, from: next)]
    case .starting, .reading: return restart(at: now)
    case .pausing: return start(from: next, at: now)
    }
  }
}
