import GraphEngine
import GraphModel
import Signals

/// The bound of the values that a list holds.
struct ListBound {
  private let limit: Int
  private let overflow: OverflowPolicy
  /// The first rules with this bound.
  private let rules: GraphRules
  private let context: OperatorContext

  init(_ limit: Int, _ overflow: OverflowPolicy, since rules: GraphRules = .first, _ context: OperatorContext) {
    self.limit = limit
    self.overflow = overflow
    self.rules = rules
    self.context = context
  }

  /// Makes room for one more value among those that are held.
  ///
  /// - Parameters:
  ///   - isOldest: True if the value is itself the oldest.
  ///   - dropOldest: Removes the oldest of the others.
  /// - Returns: False if the value is not taken: it has been dropped, or the stream has failed.
  func makeRoom(
    among count: Int, isOldest: Bool = false, _ output: StreamObserver, dropOldest: () -> Void
  ) -> Bool {
    guard count >= limit, context.rules >= rules else { return true }
    guard overflow != .fail else {
      output.send(error: .overflow(limit, in: context.operatorName))
      return false
    }
    context.dropOne(past: limit, "values")
    if overflow == .dropNewest || isOldest { return false }
    dropOldest()
    return true
  }
}
