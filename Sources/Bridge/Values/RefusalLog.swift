internal import Linux

/// The log of a source's refused values: a reason is logged once, until the daemon has taken a value.
struct RefusalLog {
  private var logged: String?

  mutating func note(_ reason: String, of run: SignalRun, _ log: Log) {
    if logged != reason { log.warning("the daemon refused a value for \(run.signal): \(reason)") }
    logged = reason
  }

  mutating func clear() { logged = nil }
}
