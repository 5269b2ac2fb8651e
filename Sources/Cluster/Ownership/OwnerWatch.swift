internal import Signals

/// The suspicion that a log has no owner, and the time at which this node should try.
struct OwnerWatch {
  private enum Owner: Equatable {
    case unknown(since: Instant)
    case known(Known)
    /// The last owner has closed its term.
    case closed(term: UInt64, successor: String?, since: Instant)
  }

  private struct Known: Equatable {
    let node: String
    let boot: String
    let term: UInt64
    /// The last sign that it owns the log.
    var heard: Instant
  }

  /// The questions to the owner's process, which a server answers at once if nothing listens there.
  private enum Probing: Equatable {
    case waiting
    case asked(unanswered: Int)
  }

  /// The advantage of each node over the next one.
  private static let step = Duration.seconds(1)
  private static let probeInterval = Duration.seconds(1)
  private static let probeRepetition = Duration.milliseconds(150)
  private static let unansweredLimit = 3

  private let log: LogName
  private var owner: Owner
  private var probing = Probing.waiting
  private var nextProbe: Instant
  /// The time at which the owner was found to be without a process.
  private var foundGone: Instant?
  /// The time before which no claim is made again, after one was refused.
  private var retry = Instant.zero
  private var refusals = 0

  init(log: LogName, at now: Instant) {
    self.log = log
    owner = .unknown(since: now)
    nextProbe = now
  }

  /// The term of the owner that this node knows.
  var term: UInt64? { if case .known(let owner) = owner { owner.term } else { nil } }
  /// The newest term that this node knows of.
  private var newestTerm: UInt64 {
    switch owner {
    case .unknown: 0
    case .known(let owner): owner.term
    case .closed(let term, _, _): term + 1
    }
  }
  /// The node that owns the log, as far as this one knows.
  var ownerNode: String? { if case .known(let owner) = owner { owner.node } else { nil } }

  // MARK: Events

  /// Takes note of an opening, or of a heartbeat that names the log.
  mutating func heard(node: String, boot: String, term: UInt64, at now: Instant) {
    guard term >= newestTerm else { return }
    if self.term != term { probing = .waiting }
    owner = .known(Known(node: node, boot: boot, term: term, heard: now))
    foundGone = nil
    refusals = 0
  }

  mutating func closed(term: UInt64, successor: String?, at now: Instant) {
    guard term >= newestTerm else { return }
    owner = .closed(term: term, successor: successor, since: now)
    foundGone = nil
  }

  /// Takes note that another node owns the log, which one is not known.
  mutating func replaced(at now: Instant) { owner = .unknown(since: now) }

  mutating func claimRefused(at now: Instant) {
    retry = now + .milliseconds(min(10 << min(refusals, 7), 1_000))
    refusals += 1
  }

  /// Takes the answer to a probe: false if nothing listens.
  mutating func probed(term: UInt64, isAnswered: Bool, at now: Instant) {
    guard term == self.term, case .asked(let unanswered) = probing else { return }
    guard !isAnswered else {
      probing = .waiting
      nextProbe = now + Self.probeInterval
      return
    }
    probing = .asked(unanswered: unanswered + 1)
    nextProbe = now + Self.probeRepetition
    if unanswered + 1 == Self.unansweredLimit { foundGone = now }
  }

  // MARK: Decisions

  /// Returns the term whose owner is to be asked now, if one is: by the node that would own the log next.
  mutating func probe(_ roster: NodeRoster, at now: Instant) -> UInt64? {
    guard case .known(let owner) = owner, foundGone == nil, now >= nextProbe else { return nil }
    nextProbe = now + Self.probeInterval
    guard owner.node != roster.node, roster.connectedSince != nil, roster.rank(for: log, at: now) <= 1 else {
      return nil
    }
    if probing == .waiting { probing = .asked(unanswered: 0) }
    return owner.term
  }

  /// Returns the time from which this node should claim the log; `nil` while it cannot tell.
  func claimTime(_ roster: NodeRoster, at now: Instant) -> Instant? {
    guard let connected = roster.connectedSince else { return nil }
    let suspected: Instant
    var preferred: String?
    switch owner {
    case .unknown(let since): suspected = max(since, connected) + NodeRoster.silence
    case .closed(_, let successor, let since): (suspected, preferred) = (since, successor)
    case .known(let owner) where owner.node == roster.node:
      // An earlier process of this node, or an opening that it had given up and that was stored late.
      (suspected, preferred) = (owner.heard, owner.node)
    case .known(let owner):
      let peer = roster.peers[owner.node]
      if let peer, peer.boot != owner.boot, peer.heard > owner.heard {
        (suspected, preferred) = (peer.since, owner.node)
      } else {
        suspected = min(max(owner.heard, connected) + NodeRoster.silence, foundGone ?? .distantFuture)
      }
    }
    let rank = roster.rank(for: log, without: foundGone.flatMap { _ in ownerNode }, at: now)
    let place = preferred.map { $0 == roster.node ? 0 : rank + 1 } ?? rank
    return max(suspected + Self.step * place, retry)
  }

  /// The time at which `probe` has to be called.
  var probeDeadline: Instant { if case .known = owner, foundGone == nil { nextProbe } else { .distantFuture } }

  /// The reason of a claim, for the opening.
  ///
  /// - Parameter hasHistory: True if the log has had an owner, whom this node has never heard.
  func reason(for node: String, hasHistory: Bool) -> OpenRecord.Reason {
    switch owner {
    case .unknown: hasHistory ? .failover : .start
    case .closed(_, node, _): .successor
    case .closed(_, nil, _): .start
    case .closed, .known: .failover
    }
  }
}
