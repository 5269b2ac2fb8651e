import ReactiveCore
import Synchronization

/// A sent value: the sender and the number of the value.
struct Stamp: Hashable, Sendable {
  let sender: Int
  let number: Int
}

/// An observer that checks that it is never called concurrently, nor after the ending.
final class Checker<Value: Sendable>: @unchecked Sendable {
  // Deliberately without any lock: the library must serialise its calls, and ThreadSanitizer detects a violation.
  private(set) var values: [Value] = []
  private(set) var endings = 0
  private(set) var faults = 0
  private let inside = Atomic(false)

  /// The observer to be added or started with.
  var observer: Observer<Value, Never> { Observer(value: receive, ending: { _ in self.end() }) }

  func observe(_ signal: Signal<Value, Never>) -> (any Disposable)? { signal.observe(observer) }

  func receive(_ value: Value) {
    enter()
    if endings > 0 { faults += 1 }
    values.append(value)
    inside.store(false, ordering: .releasing)
  }

  func end() {
    enter()
    endings += 1
    inside.store(false, ordering: .releasing)
  }

  private func enter() {
    if inside.exchange(true, ordering: .acquiring) { faults += 1 }
  }
}

/// True if each sender's values are complete, once, in order.
func isComplete(_ values: [Stamp], senders: Int, each count: Int) -> Bool {
  let bySender = Dictionary(grouping: values, by: \.sender)
  return (0..<senders).allSatisfy { bySender[$0]?.map(\.number) == Array(0..<count) }
}
