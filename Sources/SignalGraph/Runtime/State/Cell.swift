import ReactiveCore

/// A value that an operator remembers, saved with its body.
final class Cell<Value: Storable>: KeptMemory {
  @exclusivity(unchecked) var value: Value

  fileprivate init(_ value: Value) {
    self.value = value
    keep()
  }

  func store(in writer: inout StateWriter) { value.store(in: &writer) }

  func restore(from reader: inout StateReader) throws(StateError) { value = try Value(from: &reader) }
}

extension OperatorContext {
  /// A value that the operator remembers: this one at first, or the saved one.
  func cell<Value: Storable>(_ initial: Value) -> Cell<Value> { Cell(initial) }
}
