/// The target of an operator: the node of a derived signal, or the next observer of a run.
///
/// Operators are generic over it, so that in a chain of signals the node is called directly and not through a closure.
@usableFromInline package protocol Receiver<Value, Failure>: AnyObject {
  associatedtype Value
  associatedtype Failure: Error

  /// Takes a value; the domain is held.
  func receive(_ value: Value)

  /// Takes the ending; the domain is held.
  func end(_ ending: Ending<Failure>)

  /// Frees this place for another operator: the one that sent here is done.
  func giveBack()
}

extension Receiver {
  @inlinable package func giveBack() {}
}
