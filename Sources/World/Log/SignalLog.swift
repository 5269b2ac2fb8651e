import Linux

/// The log of signals and their programs: a limited number of lines a second for each, then the number of the rest.
final class SignalLog {
  /// The most lines of each in a second.
  static let allowance = 50

  private let log: Log
  private let loop: EventLoop
  /// The number of lines in the current second, by signal.
  private var lines: [String: Int] = [:]
  /// Fires at the end of that second.
  private var timer: LoopTimer?

  init(_ log: Log, loop: EventLoop) throws(Errno) {
    self.log = log
    self.loop = loop
    timer = try loop.addTimer { [unowned self] in secondIsOver() }
  }

  /// Writes a line of a signal or an action.
  func write(_ level: LogLevel, _ message: String, of owner: String, _ fields: LogRecord.Field...) {
    if lines.isEmpty { setTimer() }
    let count = lines[owner, default: 0] + 1
    lines[owner] = count
    if count <= Self.allowance { log.write(level, "\(owner): \(message)", [("signal", owner)] + fields) }
  }

  private func setTimer() {
    do throws(Errno) { try timer?.set(MonotonicInstant.now() + .seconds(1)) } catch { loop.fail(error) }
  }

  private func secondIsOver() {
    let counted = lines
    lines = [:]
    for (owner, count) in counted.sorted(by: { $0.key < $1.key }) where count > Self.allowance {
      log.notice("\(owner): suppressed \(count - Self.allowance) lines within a second", ("signal", owner))
    }
  }
}
