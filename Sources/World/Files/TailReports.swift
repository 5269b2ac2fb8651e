import Base
import Linux

/// The log reports about followed files: each fault once, losses and holes at a limited rate.
struct TailReports {
  /// The shortest time between two reports of losses, and between two of holes; they give their number.
  private static let interval = Duration.seconds(60)

  private let path: String
  private let log: Log
  /// The last reported faults of files.
  private var faults: [ExactText: FileError] = [:]
  private var losses = 0
  private var unreportedLosses = 0
  private var nextReport: MonotonicInstant?
  /// The holes and their bytes since the last report of holes.
  private var pendingHoles: (count: Int, bytes: Int64) = (0, 0)
  private var nextHoleReport: MonotonicInstant?

  init(_ path: String, _ log: Log) {
    self.path = path
    self.log = log
  }

  /// Reports files that cannot be read, unless the fault is unchanged.
  mutating func note(_ faults: [ExactText: FileError]) {
    for (path, fault) in faults.sorted(by: { $0.key < $1.key }) where self.faults[path] != fault {
      log.warning("cannot follow a file: \(fault)")
    }
    self.faults = faults
  }

  /// Reports an event if it means a loss or a hole.
  mutating func note(_ event: FileTail.Event) {
    switch event {
    case .lost(let loss): note(loss)
    case .skipped(let bytes): noteHole(bytes)
    case .appended, .rotated, .truncated, .reached: break
    }
  }

  private mutating func noteHole(_ bytes: Int64) {
    pendingHoles = (pendingHoles.count + 1, pendingHoles.bytes + bytes)
    let now = MonotonicInstant.now()
    if let nextHoleReport, now < nextHoleReport { return }
    nextHoleReport = now + Self.interval
    let places = pendingHoles.count == 1 ? "the beginning of a line" : "the beginnings of \(pendingHoles.count) lines"
    log.notice(
      "tail of \(path): skipped \(pendingHoles.bytes) NUL bytes at \(places); "
        + "the file was truncated, but its writer does not append")
    pendingHoles = (0, 0)
  }

  private mutating func note(_ loss: TailLoss) {
    losses += 1
    unreportedLosses += 1
    let now = MonotonicInstant.now()
    if let nextReport, now < nextReport { return }
    nextReport = now + Self.interval
    let count = losses == 1 ? "" : " (\(unreportedLosses) such losses since the last report, \(losses) in all)"
    unreportedLosses = 0
    log.warning("tail of \(path): \(loss)\(count)")
  }
}
