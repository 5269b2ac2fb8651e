import Queues
import ReactiveCore

/// The fate of one value more than an operator may hold.
enum OverflowPolicy: String, WordParameter {
  /// The signal fails with `overflow`.
  case fail
  case dropOldest = "drop_oldest"
  case dropNewest = "drop_newest"
}

/// Values that wait, within a bound.
struct Waiting<Element> {
  private var queue = FirstInFirstOut<Element>()
  private let limit: Int
  private let overflow: OverflowPolicy
  private let context: OperatorContext

  init(limit: Int, overflow: OverflowPolicy = .fail, _ context: OperatorContext) {
    self.limit = limit
    self.overflow = overflow
    self.context = context
  }

  var isEmpty: Bool { queue.isEmpty }
  var count: Int { queue.count }

  mutating func popFirst() -> Element? { queue.popFirst() }

  /// Adds one within the bound.
  ///
  /// - Parameter hasRoom: Whether it does not have to wait.
  /// - Throws: `overflow`, where the bound asks for a failure.
  mutating func append(_ element: Element, hasRoom: Bool = false) throws(SignalFailure) {
    if queue.count >= limit, !hasRoom {
      guard overflow != .fail else { throw .overflow(limit, in: context.operatorName) }
      context.dropOne(past: limit, "values")
      if overflow == .dropNewest { return }
      _ = queue.popFirst()
    }
    queue.append(element)
  }
}

extension Waiting where Element: Storable {
  func store(in writer: inout StateWriter) { queue.store(in: &writer) }

  /// Has those wait that did when it was written down.
  mutating func restore(from reader: inout StateReader) throws(StateError) {
    queue = try FirstInFirstOut(from: &reader)
  }
}

/// Queues that wait, one for each of several signals, which are written down with the body.
final class KeptQueues<Element: Storable>: KeptMemory {
  var queues: [Waiting<Element>]

  init(_ queues: [Waiting<Element>]) {
    self.queues = queues
    keep()
  }

  var remembered: Any? { queues }

  func store(in writer: inout StateWriter) {
    for queue in queues { queue.store(in: &writer) }
  }

  func restore(from reader: inout StateReader) throws(StateError) {
    for index in queues.indices { try queues[index].restore(from: &reader) }
  }
}

extension OperatorContext {
  /// Counts a value for which the operator has no room, or of which it lets go for a new one.
  func dropOne(past limit: Int, _ held: String) {
    signal.drop("\(operatorName) holds \(limit) \(held) already")
  }
}

/// How many values wait where nothing else is said.
let defaultWaiting = 1_000
/// How many values a list or a replay holds where nothing else is said.
let defaultHolding = 100_000
