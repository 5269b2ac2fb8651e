/// A causal chain of values sent between durable graphs and others, where each value waits for the disk.
///
/// Within one of the two runtimes, `limits.chain` bounds the turns caused by an external value. Between them, each turn
/// has an external cause; this object tracks the original one.
final class SendChain {
  /// The number of values sent across because of the first one.
  private final class Count { var value = 0 }

  /// The maximum number of signals in the path, enough for any realistic cycle.
  private static let longestPath = 64

  private let count: Count
  /// The receiving signals, the latest at the end.
  private let path: [String]

  private init(_ count: Count, _ path: [String]) { (self.count, self.path) = (count, path) }

  /// The outcome of one more value.
  enum Next {
    case goesOn(SendChain)
    /// The limit is exceeded, and the value is not sent; contains the signals of the cycle.
    case isTooLong([String])
  }

  /// Extends a chain, or begins one, by a value sent to a signal.
  static func next(of chain: SendChain?, to name: String, limit: Int) -> Next {
    let count = chain?.count ?? Count()
    let path = (chain?.path ?? []).suffix(longestPath - 1) + [name]
    count.value += 1
    if count.value <= limit { return .goesOn(SendChain(count, Array(path))) }
    let earlier = path.dropLast().lastIndex(of: name) ?? path.startIndex
    return .isTooLong(Array(path[earlier...]))
  }
}
