import ReactiveCore
import Synchronization

/// What a thread sends: who it is and the number of the value.
struct Stamp: Hashable, Sendable {
  let sender: Int
  let number: Int
}

/// An observer that checks on its own that it is never called twice at once, nor after the ending.
final class Checker<Value: Sendable>: @unchecked Sendable {
  // Deliberately without any lock: the library has to keep its calls apart, and ThreadSanitizer sees if it does not.
  private(set) var values: [Value] = []
  private(set) var endings = 0
  private(set) var faults = 0
  private let inside = Atomic(false)

  /// What is to be observed or started.
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

/// True if each sender's values are all there, once, in order.
func isComplete(_ values: [Stamp], senders: Int, each count: Int) -> Bool {
  let bySender = Dictionary(grouping: values, by: \.sender)
  return (0..<senders).allSatisfy { bySender[$0]?.map(\.number) == Array(0..<count) }
}
