internal import StateLog

/// The state of a durable graph that accepts numbered messages: those that it has accepted, and a hash of their order.
struct SimulatedGraph: Equatable {
  private(set) var number: UInt64 = 0
  private(set) var hash: UInt64 = 17
  private(set) var messages: Set<Int> = []

  init() {}

  init(_ snapshot: Snapshot) {
    number = snapshot.number
    hash = snapshot.hash
    messages = Set(Self.messages(in: snapshot.state))
  }

  var snapshot: Snapshot {
    Snapshot(
      number: number, time: Int64(number), hash: hash, configuration: [], state: Self.bytes(of: messages.sorted()))
  }

  func commit(of messages: [Int]) -> Commit {
    Commit(
      number: number + 1, time: Int64(number + 1), count: messages.count, entries: Self.bytes(of: messages),
      hash: hash(behind: messages))
  }

  private func hash(behind messages: [Int]) -> UInt64 {
    messages.reduce(hash) { ($0 ^ UInt64($1)) &* 0x9E37_79B9_7F4A_7C15 }
  }

  /// Performs a commit.
  ///
  /// - Returns: False if this state and the commit do not belong together.
  mutating func apply(_ commit: Commit) -> Bool {
    let messages = Self.messages(in: commit.entries)
    hash = hash(behind: messages)
    number = commit.number
    self.messages.formUnion(messages)
    return hash == commit.hash
  }

  /// Skips a commit: for a mutation.
  mutating func skip(_ commit: Commit) { number = commit.number }

  static func bytes(of messages: [Int]) -> [UInt8] {
    messages.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
  }

  static func messages(in bytes: [UInt8]) -> [Int] {
    stride(from: 0, to: bytes.count, by: 2).map { Int(bytes[$0]) | Int(bytes[$0 + 1]) << 8 }
  }
}
