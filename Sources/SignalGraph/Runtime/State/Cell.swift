import ReactiveCore

/// A value that an operator remembers, saved with its body.
final class Cell<Value: Storable>: KeptMemory {
  @exclusivity(unchecked) var value: Value

  private let isSound: (Value) -> Bool

  fileprivate init(_ value: Value, _ isSound: @escaping (Value) -> Bool) {
    self.value = value
    self.isSound = isSound
    keep()
  }

  var remembered: Any? { value }

  func store(in writer: inout StateWriter) { value.store(in: &writer) }

  func restore(from reader: inout StateReader) throws(StateError) {
    let kept = try Value(from: &reader)
    guard isSound(kept) else { throw StateError("an operator cannot remember what was kept") }
    value = kept
  }
}

extension OperatorContext {
  /// A value that the operator remembers: this one at first, or the saved one.
  ///
  /// - Parameter isSound: Whether it can be that; a damaged state may hold anything of the type.
  func cell<Value: Storable>(_ initial: Value, where isSound: @escaping (Value) -> Bool = { _ in true }) -> Cell<Value>
  {
    Cell(initial, isSound)
  }

  /// The same for one of each of several things.
  func cells<Element: Storable>(_ initial: [Element]) -> Cell<[Element]> {
    cell(initial) { $0.count == initial.count }
  }
}
