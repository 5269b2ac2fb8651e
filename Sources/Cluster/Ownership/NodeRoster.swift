package import Signals
internal import StateLog

/// The nodes of a cluster as one of them hears them.
///
/// Nothing depends on it for safety: it decides when a node tries, and who tries first. Only ages by the node's own clock
/// are compared.
package struct NodeRoster {
  package struct Peer: Equatable, Sendable {
    package let boot: String
    /// The time of the first heartbeat of this process.
    package let since: Instant
    package fileprivate(set) var heard: Instant
    /// The last heartbeat.
    package fileprivate(set) var heartbeat: NodeHeartbeat
  }

  package let node: String
  package let boot: String
  package private(set) var peers: [String: Peer] = [:]
  /// The time since which the node is connected without a break.
  package private(set) var connectedSince: Instant?
  /// The process that uses the name of this node and runs longer, and the time when it was heard last.
  private var elder: (boot: String, heard: Instant)?

  /// The silence after which a node counts as gone.
  package static let silence = Duration.seconds(2)
  /// The difference of ages within which processes count as equally old: claims take time.
  private static let ageTolerance: Int64 = 1_000_000

  package init(node: String, boot: String) {
    self.node = node
    self.boot = boot
  }

  package mutating func connected(at now: Instant) { connectedSince = now }
  package mutating func disconnected() { connectedSince = nil }

  package mutating func heard(_ heartbeat: NodeHeartbeat, at now: Instant) {
    guard heartbeat.node != node else {
      if heartbeat.boot == elder?.boot { elder?.heard = now }
      return
    }
    if peers[heartbeat.node]?.boot == heartbeat.boot {
      peers[heartbeat.node]?.heard = now
      peers[heartbeat.node]?.heartbeat = heartbeat
    } else {
      peers[heartbeat.node] = Peer(boot: heartbeat.boot, since: now, heard: now, heartbeat: heartbeat)
    }
  }

  /// Takes note of another process that uses the name of this node.
  ///
  /// - Parameter age: The time for which this process has run, in microseconds.
  package mutating func heard(_ claim: NameClaim, age: Int64, at now: Instant) {
    guard claim.node == node, claim.boot != boot else { return }
    let lead = claim.age - age
    let isElder = abs(lead) > Self.ageTolerance ? lead > 0 : claim.boot < boot
    if isElder { elder = (claim.boot, now) }
  }

  /// Returns true while a process that runs longer uses the name of this node.
  package func isNameTaken(at now: Instant) -> Bool { elder.map { now - $0.heard < Self.silence } ?? false }

  /// Returns true if a node was heard lately.
  package func isAlive(_ peer: Peer, at now: Instant) -> Bool { now - peer.heard < Self.silence }

  /// Returns the other node that should own a log after this one, if any lives.
  ///
  /// - Parameter mayOwn: Returns true for a node that may.
  package func successor(for log: LogName, at now: Instant, where mayOwn: (String) -> Bool) -> String? {
    let alive = peers.filter { isAlive($0.value, at: now) && mayOwn($0.key) }.map(\.key)
    return alive.max { (Self.weight(of: $0, for: log), $0) < (Self.weight(of: $1, for: log), $1) }
  }

  /// Returns the place of this node among those alive, in the order in which they should own a log (rendezvous hashing).
  ///
  /// - Parameter gone: A node that does not count, though it was heard lately.
  func rank(for log: LogName, without gone: String? = nil, at now: Instant) -> Int {
    let own = Self.weight(of: node, for: log)
    return peers.count { name, peer in
      guard isAlive(peer, at: now), name != gone else { return false }
      let other = Self.weight(of: name, for: log)
      return (other, name) > (own, node)
    }
  }

  private static func weight(of node: String, for log: LogName) -> UInt64 {
    var checksum = Checksum()
    for text in [node, log.graph] {
      let bytes = Array(text.utf8)
      checksum.add(UInt64(bytes.count))
      checksum.add(unprefixed: bytes.span)
    }
    checksum.add(UInt64(log.partition))
    return checksum.bits
  }
}
