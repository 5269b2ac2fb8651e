import Linux

/// The log reports about followed files: each fault once, losses at a limited rate.
struct TailReports {
  /// The shortest time between reports of losses, which give their number.
  private static let interval = Duration.seconds(60)

  private let path: String
  private let log: Log
  /// The last reported faults of files.
  private var faults: [String: FileError] = [:]
  private var losses = 0
  private var pendingSends = 0
  private var nextReport: MonotonicInstant?

  init(_ path: String, _ log: Log) {
    self.path = path
    self.log = log
  }

  /// Reports files that cannot be read, unless the fault is unchanged.
  mutating func note(_ faults: [String: FileError]) {
    for (path, fault) in faults.sorted(by: { $0.key < $1.key }) where self.faults[path] != fault {
      log.warning("cannot follow a file: \(fault)")
    }
    self.faults = faults
  }

  mutating func note(_ loss: TailLoss) {
    losses += 1
    pendingSends += 1
    let now = MonotonicInstant.now()
    if let nextReport, now < nextReport { return }
    nextReport = now + Self.interval
    let count = losses == 1 ? "" : " (\(pendingSends) such losses since the last report, \(losses) in all)"
    pendingSends = 0
    log.warning("tail of \(path): \(loss)\(count)")
  }
}
