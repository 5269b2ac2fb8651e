/// The work that the subscriptions of a user may cause at once: by one line of a client, or in one turn of the graphs.
///
/// It is counted rather than measured, so that the same values always get through.
struct WorkBudget {
  /// The most work, in estimated nanoseconds.
  static let most = 10_000_000
  /// The cost of delivering an event, besides its condition and its bytes.
  static let delivery = 100

  private var window: UInt64 = 0
  private var spent = 0

  /// - Parameter window: The number of the line or turn; another one begins with the whole budget.
  func hasRest(in window: UInt64) -> Bool { window != self.window || spent < Self.most }

  mutating func spend(_ cost: Int, in window: UInt64) {
    if window != self.window { (self.window, spent) = (window, 0) }
    spent += cost
  }
}
