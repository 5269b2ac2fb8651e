package import Signals
package import StateLog

/// A node's part in one log: follower, claimer or owner.
///
/// It decides when the node tries to own the log. That two nodes may try, or believe that they own, does no harm: what is
/// told follows from the log alone.
package struct Ownership {
  package enum Output {
    case log(StreamLog.Output)
    /// Ask the owner of a term for a heartbeat; report the answer by `probed`.
    case probe(term: UInt64)
  }

  package let name: LogName
  /// The opening of this process, but for its reason.
  private let opening: OpenRecord
  package private(set) var log: StreamLog
  private var watch: OwnerWatch
  /// True if this node may own the log.
  package var isEligible = true
  /// The term of the own opening.
  private var term: UInt64?
  /// The reason of the own claim that is under way.
  private var claimReason = OpenRecord.Reason.start
  /// The newest opening that is known to be stored: its term and its reason.
  package private(set) var opened: Opened?

  package typealias Opened = (term: UInt64, reason: OpenRecord.Reason)

  /// - Parameter opened: The newest opening that an earlier reading has found.
  package init(
    _ name: LogName, _ opening: OpenRecord, _ limits: StreamLogLimits = StreamLogLimits(), after opened: Opened? = nil,
    at now: Instant
  ) {
    self.name = name
    self.opening = opening
    self.opened = opened
    log = StreamLog(limits)
    watch = OwnerWatch(log: name, at: now)
  }

  /// The part of a heartbeat for this log, if the node owns it or is becoming its owner.
  package var owned: NodeHeartbeat.OwnedLog? {
    term.map {
      NodeHeartbeat.OwnedLog(log: name, term: $0, sequence: log.known, reason: opened?.reason ?? .start)
    }
  }

  /// The node that owns the log, as far as this one knows, and its term.
  package var owner: (node: String, term: UInt64)? {
    guard let node = watch.ownerNode, let term = watch.term else { return nil }
    return (node, term)
  }

  /// Returns the time at which `timePassed` has to be called.
  package func deadline(_ roster: NodeRoster, at now: Instant) -> Instant {
    guard log.isIdle, isEligible else { return log.deadline }
    return min(log.deadline, watch.claimTime(roster, at: now) ?? .distantFuture, watch.probeDeadline)
  }
}

// MARK: Requests

extension Ownership {
  /// Begins to read what the owner writes.
  package mutating func follow(at now: Instant) -> [Output] {
    let outputs = log.follow(at: now)
    return take(outputs, at: now)
  }

  package mutating func append(_ commit: Commit, told: [UInt8], at now: Instant) -> [Output] {
    let outputs = log.append(commit, told: told, at: now)
    return take(outputs, at: now)
  }

  package mutating func append(_ snapshot: Snapshot, emitted: [UInt8] = [], at now: Instant) -> [Output] {
    let outputs = log.append(snapshot, emitted: emitted, at: now)
    return take(outputs, at: now)
  }

  /// Ends the own term behind everything appended, in favour of another node.
  package mutating func close(successor: String?, time: Int64, at now: Instant) -> [Output] {
    let outputs = log.close(CloseRecord(successor: successor), time: time, at: now)
    return take(outputs, at: now)
  }
}

// MARK: Events

extension Ownership {
  package mutating func heard(_ heartbeat: NodeHeartbeat, at now: Instant) -> [Output] {
    guard heartbeat.node != opening.node, let owned = heartbeat.owned.first(where: { $0.log == name }) else {
      return []
    }
    if let term, log.isOwner {
      guard owned.term > term else { return [] }
      let outputs = log.doubt(at: now)
      return take(outputs, at: now)
    }
    watch.heard(node: heartbeat.node, boot: heartbeat.boot, term: owned.term, at: now)
    if owned.term > opened?.term ?? 0 { opened = (owned.term, owned.reason) }
    let outputs = log.ownerReports(term: owned.term, boot: heartbeat.boot, sequence: owned.sequence)
    return take(outputs, at: now)
  }

  /// Takes note of a new connection to the servers.
  package mutating func connected(at now: Instant) -> [Output] {
    let outputs = log.connected(at: now)
    return take(outputs, at: now)
  }

  /// Ends following and owning for good: the servers do not have the log any more.
  package mutating func lose(_ damage: LogDamage, at now: Instant) -> [Output] {
    if log.isDamaged { return [] }
    let outputs = log.stop(damage)
    return take(outputs, at: now)
  }

  package mutating func probed(term: UInt64, isAnswered: Bool, at now: Instant) {
    watch.probed(term: term, isAnswered: isAnswered, at: now)
  }

  package mutating func replied(to id: RequestID, _ reply: StreamReply, at now: Instant) -> [Output] {
    let outputs = log.replied(to: id, reply, at: now)
    return take(outputs, at: now)
  }

  package mutating func delivered(_ message: StoredMessage, to reader: ReaderID, at now: Instant) -> [Output] {
    let outputs = log.delivered(message, to: reader, at: now)
    return take(outputs, at: now)
  }

  package mutating func heard(_ reader: ReaderID, delivered: UInt64, at now: Instant) -> [Output] {
    let outputs = log.heard(reader, delivered: delivered, at: now)
    return take(outputs, at: now)
  }

  /// - Parameter time: The time for records, in microseconds since 1970.
  package mutating func timePassed(_ roster: NodeRoster, time: Int64, at now: Instant) -> [Output] {
    let outputs = log.timePassed(at: now)
    var taken = take(outputs, at: now)
    guard log.isIdle, isEligible else { return taken }
    if let claimTime = watch.claimTime(roster, at: now), now >= claimTime {
      var open = opening
      open.reason = watch.reason(for: opening.node, hasHistory: log.cursor?.term ?? 0 > 0)
      claimReason = open.reason
      let outputs = log.claim(open, time: time, at: now)
      taken += take(outputs, at: now)
    } else if let term = watch.probe(roster, at: now) {
      taken.append(.probe(term: term))
    }
    return taken
  }

  /// Learns from what the log reports, and passes it on.
  private mutating func take(_ outputs: [StreamLog.Output], at now: Instant) -> [Output] {
    for output in outputs {
      switch output {
      case .claimed(let term):
        self.term = term
        opened = (term, claimReason)
        watch.heard(node: opening.node, boot: opening.boot, term: term, at: now)
      case .read(.opened(let open), let sequence):
        opened = (sequence, open.reason)
        watch.heard(node: open.node, boot: open.boot, term: sequence, at: now)
      case .read(.closed(let close), _): closed(close, at: now)
      case .claimRefused(let message):
        watch.claimRefused(at: now)
        learn(message, at: now)
      case .fenced(_, let message):
        term = nil
        watch.replaced(at: now)
        learn(message, at: now)
      case .closed(let close):
        term = nil
        closed(close, at: now)
      case .damaged: term = nil
      case .read, .recovered, .began, .committed, .snapshotTaken, .stream: break
      }
    }
    return outputs.map { .log($0) }
  }

  private mutating func closed(_ close: CloseRecord, at now: Instant) {
    watch.closed(term: log.cursor?.term ?? 0, successor: close.successor, at: now)
  }

  /// Learns who owns the log from the record that stands in the place of an own one.
  private mutating func learn(_ message: StoredMessage?, at now: Instant) {
    guard let message, let record = try? LogRecord(message.bytes), case .open(let open) = record.content else { return }
    opened = (message.sequence, open.reason)
    watch.heard(node: open.node, boot: open.boot, term: message.sequence, at: now)
  }
}
