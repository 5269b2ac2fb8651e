/// One of the many signals that an owner feeds one by one, in an order of its own.
///
/// It is a pipe without the block of memory for an input: its owner sends, and is told when nobody can hear it any
/// more. It belongs to the owner's thread.
package final class Branch<Key: AnyObject, Value, Failure: Error>: Disposable, @unchecked Sendable {
  @usableFromInline let node = Node<Value, Failure>(domain: Domain())
  /// The object that it stands for.
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

  /// Its signal; to be asked for once.
  package func makeSignal() -> Signal<Value, Failure> {
    node.source = self
    return Signal(node)
  }

  @inlinable package func send(_ value: Value) { node.send(value) }

  @inlinable package func send(_ ending: Ending<Failure>) { node.send(ending) }

  /// The signal has ended, or nobody can observe it any more.
  package func dispose() {
    guard !isDisposed else { return }
    isDisposed = true
    owner.branchHasEnded()
  }
}

/// The owner of branches.
package protocol BranchOwner: AnyObject {
  /// One of the branches has been disposed of.
  func branchHasEnded()
}
