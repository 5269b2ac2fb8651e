import Base
package import GraphModel
package import Signals

/// The treatment of a value beyond an operator's limit.
package enum OverflowPolicy: String, WordParameter {
  /// The signal fails with `overflow`.
  case fail
  case dropOldest = "drop_oldest"
  case dropNewest = "drop_newest"
}

/// A bounded queue of waiting values.
package struct Waiting<Element> {
  private var queue = FirstInFirstOut<Element>()
  private let limit: Int
  /// `nil` where senders wait, and the limit is passed only by what was on its way.
  private let overflow: OverflowPolicy?
  private let context: OperatorContext
  /// Called with the number of elements after each change.
  package var onChange: ((Int) -> Void)?

  package init(limit: Int, overflow: OverflowPolicy? = .fail, _ context: OperatorContext) {
    self.limit = limit
    self.overflow = overflow
    self.context = context
  }

  package var isEmpty: Bool { queue.isEmpty }
  var count: Int { queue.count }

  package mutating func popFirst() -> Element? {
    defer { onChange?(queue.count) }
    return queue.popFirst()
  }

  /// Appends an element within the limit.
  ///
  /// - Parameter hasRoom: True when the element need not wait.
  /// - Throws: `overflow`, if the policy is to fail.
  package mutating func append(_ element: Element, hasRoom: Bool = false) throws(SignalFailure) {
    // Values that senders had already sent still fit; those that cannot wait elsewhere, such as timer values, are dropped.
    let limit = overflow == nil ? 2 * limit + context.rules.mostSent : limit
    if queue.count >= limit, !hasRoom {
      guard overflow != .fail else { throw .overflow(limit, in: context.operatorName) }
      context.dropOne(past: limit, "values")
      if overflow == .dropNewest || overflow == nil { return }
      _ = queue.popFirst()
      onChange?(queue.count)
    }
    queue.append(element)
    onChange?(queue.count)
  }
}

extension Waiting: StateRestorable where Element: StateCodable {
  package func encode(to writer: inout StateEncoder) { queue.encode(to: &writer) }

  /// Restores the elements that waited when the state was saved.
  package mutating func restore(from reader: inout StateDecoder) throws(StateError) {
    queue = try FirstInFirstOut(from: &reader)
    onChange?(queue.count)
  }
}

/// Queues of several signals, saved with the body.
package final class KeptQueues<Element: StateCodable>: KeptMemory {
  package var queues: [Waiting<Element>]

  package init(_ queues: [Waiting<Element>]) {
    self.queues = queues
    keep()
  }

  package var remembered: Any? { queues }

  package func encode(to writer: inout StateEncoder) {
    for queue in queues { queue.encode(to: &writer) }
  }

  package func restore(from reader: inout StateDecoder) throws(StateError) {
    for index in queues.indices { try queues[index].restore(from: &reader) }
  }
}

extension OperatorContext {
  /// Counts a value that exceeds the operator's limit, or one evicted for a new value.
  package func dropOne(past limit: Int, _ held: String) {
    signal.drop("\(operatorName) queue is full (\(limit) \(held))")
  }
}

/// The default number of waiting values.
package let defaultWaiting = 1_000
/// The default number of values in a list or a replay.
package let defaultHolding = 100_000
