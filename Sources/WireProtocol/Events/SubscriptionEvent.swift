/// The events of a subscription other than values.
package enum SubscriptionEvent: Sendable, Equatable {
  /// The reason that the daemon ends a signal for a subscriber.
  package enum Reason: String, Sendable {
    case removed
    case denied
    case shuttingDown = "shutting_down"
    /// The daemon was replaced, and the new process could not resume the work of the old one.
    case restarted
  }

  case completed(signal: String)
  case failed(signal: String, Failure)
  case interrupted(signal: String, Reason?)
  /// A number of values was dropped at this point.
  case lagged(signal: String, dropped: UInt64)
  /// The signal's sequence numbers have restarted since the client last saw it.
  case renewed(signal: String, epoch: String)
  /// A pattern now covers a signal that a reload has added; the epoch is included if it differs from that of `hello`.
  case subscribed(signal: String, seq: UInt64, epoch: String?)
  /// A subscription, named by its label or pattern, has reached its `take`.
  case ended(signal: String)
  /// A heartbeat of a quiet signal.
  case alive(signal: String, seq: UInt64)

  package func append(to bytes: inout [UInt8], subscription: String? = nil, at time: Timestamp? = nil) {
    appendLine(to: &bytes) { line in
      line.begin(event: name, subscription: subscription)
      writeMembers(to: &line)
      if let time { line.member("at", time) }
    }
  }

  private var name: StaticString {
    switch self {
    case .completed: "completed"
    case .failed: "failed"
    case .interrupted: "interrupted"
    case .lagged: "lagged"
    case .renewed: "renewed"
    case .subscribed: "subscribed"
    case .ended: "ended"
    case .alive: "alive"
    }
  }

  private func writeMembers(to line: inout LineWriter) {
    switch self {
    case .completed(let signal):
      line.member("signal", signal)
    case .failed(let signal, let failure):
      line.member("signal", signal)
      line.member("error", failure.value)
    case .interrupted(let signal, let reason):
      line.member("signal", signal)
      if let reason { line.member("reason", reason.rawValue) }
    case .lagged(let signal, let dropped):
      line.member("signal", signal)
      line.member("dropped", dropped)
    case .renewed(let signal, let epoch):
      line.member("signal", signal)
      line.member("epoch", epoch)
    case .subscribed(let signal, let seq, let epoch):
      line.member("signal", signal)
      line.member("seq", seq)
      if let epoch { line.member("epoch", epoch) }
    case .alive(let signal, let seq):
      line.member("signal", signal)
      line.member("seq", seq)
    case .ended(let signal):
      line.member("signal", signal)
      line.member("reason", "take")
    }
  }
}

/// Appends the last line for a client that was too slow for `"overflow":"disconnect"`.
package func appendSlowClientLine(to bytes: inout [UInt8]) {
  appendLine(to: &bytes) { line in
    line.begin("event", "interrupted")
    line.member("reason", "slow")
  }
}
