import ReactiveCore

/// Something that an operator remembers, which is written down with its body.
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
  /// What the operator remembers: this at first, or what was kept.
  func cell<Value: Storable>(_ initial: Value) -> Cell<Value> { Cell(initial) }
}
