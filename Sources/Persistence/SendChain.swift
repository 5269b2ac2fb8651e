import SignalGraph

/// The values that were sent one because of the other between durable graphs and others, where each waits for the disk.
///
/// Within one of the two runtimes `limits.chain` bounds the turns that a value from outside causes. Between them each
/// turn comes from outside; here it is known what has caused it.
final class SendChain {
  /// How many values were sent from one side to the other because of the first one.
  private final class Count { var value = 0 }

  /// How many of the last signals it knows: enough for any circle that people draw.
  private static let longestPath = 64

  private let count: Count
  /// The signals that were sent to, the last one at the end.
  private let path: [String]

  private init(_ count: Count, _ path: [String]) { (self.count, self.path) = (count, path) }

  /// The outcome of one more value.
  enum Next {
    case goesOn(SendChain)
    /// There were too many, and this one is not sent; through which signals they chase each other.
    case isTooLong([String])
  }

  /// One more value is sent to a signal because of another one, or by itself.
  static func next(of chain: SendChain?, to name: String, limit: Int) -> Next {
    let count = chain?.count ?? Count()
    let path = (chain?.path ?? []).suffix(longestPath - 1) + [name]
    count.value += 1
    if count.value <= limit { return .goesOn(SendChain(count, Array(path))) }
    let earlier = path.dropLast().lastIndex(of: name) ?? path.startIndex
    return .isTooLong(Array(path[earlier...]))
  }
}
