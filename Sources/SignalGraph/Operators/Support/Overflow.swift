import Queues
import ReactiveCore

/// What becomes of one value more than an operator may hold.
enum Overflow: String, Choice {
  /// The signal fails with `overflow`.
  case fail
  case dropOldest = "drop_oldest"
  case dropNewest = "drop_newest"
}

/// Values that wait, within a bound.
struct Waiting<Element> {
  private var queue = FirstInFirstOut<Element>()
  private let limit: Int
  private let overflow: Overflow
  private let context: OperatorContext

  init(limit: Int, overflow: Overflow = .fail, _ context: OperatorContext) {
    self.limit = limit
    self.overflow = overflow
    self.context = context
  }

  var isEmpty: Bool { queue.isEmpty }
  var count: Int { queue.count }

  mutating func popFirst() -> Element? { queue.popFirst() }

  /// Adds one within the bound.
  ///
  /// - Throws: `overflow`, where the bound asks for a failure.
  mutating func append(_ element: Element) throws(SignalFailure) {
    if queue.count >= limit {
      guard overflow != .fail else { throw .overflow(limit, in: context.operatorName) }
      context.dropOne(past: limit, "values")
      if overflow == .dropNewest { return }
      _ = queue.popFirst()
    }
    queue.append(element)
  }
}

extension OperatorContext {
  /// The same bound for an operator of the core.
  ///
  /// - Parameter held: What the operator has no room for: "values", or "keys".
  func bound(_ limit: Int, _ overflow: Overflow, of held: String = "values") -> Bound<SignalFailure> {
    let overflow: Bound<SignalFailure>.Overflow =
      switch overflow {
      case .fail: .fail(.overflow(limit, in: operatorName))
      case .dropOldest: .dropOldest
      case .dropNewest: .dropNewest
      }
    return Bound(limit: limit, overflow: overflow) { dropOne(past: limit, held) }
  }

  /// Counts a value for which the operator has no room, or of which it lets go for a new one.
  func dropOne(past limit: Int, _ held: String) {
    signal.drop("\(operatorName) holds \(limit) \(held) already")
  }
}

/// How many values wait where nothing else is said.
let defaultWaiting = 1_000
/// How many values a list or a replay holds where nothing else is said.
let defaultHolding = 100_000
