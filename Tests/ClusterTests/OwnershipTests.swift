import ClusterSupport
import Signals
import Testing

@testable import Cluster

@Suite struct Ownerships {
  private static let log = LogName(graph: "alarms")
  private static let nodes = ["attic", "cellar", "kitchen"]

  /// One node's view of the log, with a roster that hears what the test says.
  private struct Node {
    var roster: NodeRoster
    var ownership: Ownership
    var now = Instant.zero

    init(_ name: String) {
      roster = NodeRoster(node: name, boot: "\(name)-1")
      ownership = Ownership(Ownerships.log, .example(name), at: .zero)
      roster.connected(at: .zero)
    }

    mutating func hear(_ node: String, boot: String? = nil, term: UInt64? = nil) {
      let owned = term.map { [NodeHeartbeat.OwnedLog(log: Ownerships.log, term: $0, sequence: $0)] } ?? []
      let heartbeat = NodeHeartbeat(node: node, boot: boot ?? "\(node)-1", program: "1", time: 0, owned: owned)
      roster.heard(heartbeat, at: now)
      _ = ownership.heard(heartbeat, at: now)
    }

    /// Reads a record of the log, from the beginning.
    mutating func read(_ message: StoredMessage) {
      if ownership.log.cursor == nil {
        _ = ownership.follow(at: now)
        _ = ownership.replied(to: RequestID(part: .locating, number: 1), .missing, at: now)
      }
      _ = ownership.delivered(message, to: 1, at: now)
    }

    /// Runs until the node claims, while the given nodes live.
    mutating func claimTime(
      within milliseconds: Int = 10_000, alive: [String] = [], probed: Bool? = nil
    ) -> (time: Int, open: OpenRecord)? {
      for millisecond in 0...milliseconds {
        now = .zero + .milliseconds(millisecond)
        if millisecond % 500 == 0 { for node in alive { hear(node) } }
        for output in ownership.timePassed(roster, time: 0, at: now) {
          switch output {
          case .probe(let term): if let probed { ownership.probed(term: term, isAnswered: probed, at: now) }
          case .log(.stream(.request(_, .append(.open, let bytes, _)))):
            if case .open(let open)? = try? LogRecord(bytes).content { return (millisecond, open) }
          case .log: break
          }
        }
      }
      return nil
    }
  }

  /// The nodes in the order in which they should own the log.
  private static var ranked: [String] {
    nodes.sorted { first, second in
      func rank(_ node: String) -> Int {
        var roster = NodeRoster(node: node, boot: "1")
        for other in nodes {
          roster.heard(NodeHeartbeat(node: other, boot: "1", program: "1", time: 0, owned: []), at: .zero)
        }
        return roster.rank(for: log, at: .zero)
      }
      return rank(first) < rank(second)
    }
  }

  private static func others(than node: String) -> [String] { nodes.filter { $0 != node } }

  @Test func `the order of the nodes is the same everywhere, and another one for another log`() {
    #expect(Set(Self.ranked) == Set(Self.nodes))
    let first = (0..<30).map { partition in
      Self.nodes.first { node in
        var roster = NodeRoster(node: node, boot: "1")
        for other in Self.nodes {
          roster.heard(NodeHeartbeat(node: other, boot: "1", program: "1", time: 0, owned: []), at: .zero)
        }
        return roster.rank(for: LogName(graph: "devices", partition: partition), at: .zero) == 0
      }
    }
    #expect(Set(first) == Set(Self.nodes.map(Optional.some)))
  }

  @Test(arguments: [0, 1, 2])
  func `a log without an owner is claimed after two seconds, by each further node a second later`(rank: Int) {
    let name = Self.ranked[rank]
    var node = Node(name)
    let claim = node.claimTime(alive: Self.others(than: name))
    #expect(claim?.time == 2_000 + 1_000 * rank)
    #expect(claim?.open.reason == .start)
  }

  @Test func `a silent owner is replaced after two seconds`() {
    let (first, second) = (Self.ranked[0], Self.ranked[1])
    var node = Node(second)
    node.hear(first, term: 7)
    let claim = node.claimTime(alive: [Self.ranked[2]])
    #expect(claim?.time == 2_000)
    #expect(claim?.open.reason == .failover)
  }

  @Test func `an owner that is heard is not replaced, though it says nothing of the log at first`() {
    var node = Node(Self.ranked[1])
    node.hear(Self.ranked[0], term: 7)
    for second in 1...20 {
      node.now = .zero + .seconds(second)
      node.hear(Self.ranked[0], term: 7)
      let outputs = node.ownership.timePassed(node.roster, time: 0, at: node.now)
      #expect(!outputs.contains { if case .log = $0 { true } else { false } })
    }
  }

  @Test func `an owner without a process is replaced after three questions`() {
    var node = Node(Self.ranked[1])
    node.hear(Self.ranked[0], term: 7)
    let claim = node.claimTime(alive: [Self.ranked[2]], probed: false)
    #expect(claim?.time == 301)
  }

  @Test func `an owner that answers is not replaced before it is silent`() {
    var node = Node(Self.ranked[1])
    node.hear(Self.ranked[0], term: 7)
    #expect(node.claimTime(alive: [Self.ranked[2]], probed: true)?.time == 2_000)
  }

  @Test func `an owner that has started again has a second to claim first`() {
    var node = Node(Self.ranked[1])
    node.hear(Self.ranked[0], term: 7)
    node.now = .zero + .milliseconds(1)
    node.hear(Self.ranked[0], boot: "another")
    // The node that owned the log is the only other one alive, and before this one in the order.
    #expect(node.claimTime(within: 5_000)?.time == 2_001)
  }

  @Test func `a node claims at once what an earlier process of it owned`() {
    var node = Node(Self.ranked[2])
    let open = LogRecord(term: 1, chain: 0, time: 0, .open(OpenRecord.example(Self.ranked[2], boot: "before")))
    node.read(StoredMessage(sequence: 1, bytes: open.bytes))
    let claim = node.claimTime(alive: Self.others(than: Self.ranked[2]))
    #expect(claim?.time == 0)
  }

  @Test(arguments: [0, 1, 2])
  func `the successor that a term was closed for claims at once, and others later`(rank: Int) {
    let name = Self.ranked[rank]
    var node = Node(name)
    for other in Self.others(than: name) { node.hear(other) }
    var cursor = LogCursor()
    let open = StoredMessage(
      sequence: 1, bytes: LogRecord(term: 1, chain: 0, time: 0, .open(.example("shed"))).bytes)
    _ = try? cursor.take(open)
    node.read(open)
    let close = LogRecord(term: 1, chain: cursor.chain, time: 0, .close(CloseRecord(successor: Self.ranked[2])))
    node.read(StoredMessage(sequence: 2, bytes: close.bytes))
    let claim = node.claimTime(alive: Self.others(than: name))
    #expect(claim?.time == (rank == 2 ? 0 : 1_000 * (rank + 1)))
    #expect(claim?.open.reason == (rank == 2 ? .successor : .failover))
  }

  @Test func `a node that is cut off, or not eligible, claims nothing`() {
    var cut = Node(Self.ranked[0])
    cut.roster.disconnected()
    #expect(cut.claimTime() == nil)
    var excluded = Node(Self.ranked[0])
    excluded.ownership.isEligible = false
    #expect(excluded.claimTime() == nil)
  }

  @Test func `only silence since the own connection counts`() {
    var node = Node(Self.ranked[1])
    node.hear(Self.ranked[0], term: 7)
    node.roster.connected(at: .zero + .milliseconds(1_500))
    #expect(node.claimTime(alive: [Self.ranked[2]])?.time == 3_500)
  }

  @Test func `a heartbeat is read as it was written, and another version is ignored`() {
    let heartbeat = NodeHeartbeat(
      node: "attic", boot: "1", program: "2.0", time: -5,
      owned: [NodeHeartbeat.OwnedLog(log: LogName(graph: "a", partition: 3), term: 9, sequence: 12, reason: .failover)])
    #expect(NodeHeartbeat(heartbeat.bytes) == heartbeat)
    #expect(NodeHeartbeat([2] + heartbeat.bytes.dropFirst()) == nil)
    #expect(NodeHeartbeat(heartbeat.bytes.dropLast()) == nil)
    #expect(NodeHeartbeat(heartbeat.bytes + [0]) == nil)
  }

  @Test func `a log that the servers have lost is neither claimed nor read any more`() {
    var node = Node(Self.ranked[0])
    node.read(StoredMessage(sequence: 1, bytes: LogRecord(term: 1, chain: 0, time: 0, .open(.example("x"))).bytes))
    let damage = LogDamage(sequences: 1...1, finding: "no stream", soundCommit: 0, isWhole: true)
    let told = node.ownership.lose(damage, at: node.now).contains {
      if case .log(.damaged(damage)) = $0 { true } else { false }
    }
    #expect(told)
    #expect(node.ownership.lose(damage, at: node.now).isEmpty)
    #expect(node.claimTime() == nil)
    #expect(damage.description == "the log is gone: no stream; it ended at sequence 1, with commit 0")
  }
}

extension OpenRecord {
  static func example(_ node: String, boot: String) -> OpenRecord {
    var open = example(node)
    open.boot = boot
    return open
  }
}

@Suite struct `The name of a node` {
  @Test(arguments: [(age: 5_000_000, isTaken: false), (age: 500_000, isTaken: true)])
  func `of two processes with one name the older one keeps it, while it is heard`(age: Int64, isTaken: Bool) {
    let second: Int64 = 1_000_000
    var roster = NodeRoster(node: "attic", boot: "b")
    let claim = NameClaim(node: "attic", boot: "a", age: 3 * second)
    roster.heard(NameClaim(node: "cellar", boot: "a", age: 100 * second), age: age, at: .zero)
    roster.heard(NameClaim(node: "attic", boot: "b", age: 100 * second), age: age, at: .zero)
    #expect(!roster.isNameTaken(at: .zero))
    roster.heard(claim, age: age, at: .zero)
    #expect(roster.isNameTaken(at: .zero) == isTaken)
    let later = Instant.zero + .seconds(1)
    roster.heard(NodeHeartbeat(node: "attic", boot: "a", program: "1", time: 0, owned: []), at: later)
    #expect(roster.isNameTaken(at: .zero + .milliseconds(2_999)) == isTaken)
    #expect(!roster.isNameTaken(at: .zero + .milliseconds(3_000)))
    #expect(roster.peers.isEmpty)
  }

  @Test func `of two processes with one name that began together one keeps it`() {
    for (boot, other) in [("a", "b"), ("b", "a")] {
      var roster = NodeRoster(node: "attic", boot: boot)
      roster.heard(NameClaim(node: "attic", boot: other, age: boot == "a" ? 900_000 : 0), age: 500_000, at: .zero)
      #expect(roster.isNameTaken(at: .zero) == (boot == "b"))
    }
  }

  @Test func `a claim is read as it was written, and is no heartbeat`() {
    let claim = NameClaim(node: "attic", boot: "a", age: 7)
    #expect(NameClaim(claim.bytes) == claim)
    #expect(NodeHeartbeat(claim.bytes) == nil)
    let heartbeat = NodeHeartbeat(node: "attic", boot: "a", program: "1", time: 0, owned: [])
    #expect(NameClaim(heartbeat.bytes) == nil)
  }
}
