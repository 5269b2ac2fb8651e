/// One of the many signals that an owner feeds one by one, in an order of its own.
///
/// It is a pipe without the memory block of an input: its owner sends, and is notified when it can have no observers
/// any more. It belongs to the owner's thread.
package final class Branch<Key: AnyObject, Value, Failure: Error>: Disposable, @unchecked Sendable {
  @usableFromInline let node = Node<Value, Failure>(domain: Domain())
  /// The object that it represents.
  package let key: Key
  /// Its number in the order of arrival.
  package let arrival: Int
  private let owner: any BranchOwner
  package private(set) var isDisposed = false

  package init(for key: Key, arrival: Int, of owner: any BranchOwner) {
    self.key = key
    self.arrival = arrival
    self.owner = owner
  }

  /// Returns its signal; call once.
  package func makeSignal() -> Signal<Value, Failure> {
    node.source = self
    return Signal(node)
  }

  @inlinable package func send(_ value: Value) { node.send(value) }

  @inlinable package func send(_ ending: Ending<Failure>) { node.send(ending) }

  /// Marks the end: the signal has ended or can no longer be observed.
  package func dispose() {
    guard !isDisposed else { return }
    isDisposed = true
    owner.branchHasEnded()
  }
}

/// The owner of branches.
package protocol BranchOwner: AnyObject {
  /// Notifies the owner that a branch has been disposed of.
  func branchHasEnded()
}
