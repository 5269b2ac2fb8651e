package import Signals

/// A value that an operator remembers, saved with its body.
package final class Cell<Value: StateCodable>: KeptMemory {
  @exclusivity(unchecked) package var value: Value

  private let isSound: (Value) -> Bool

  fileprivate init(_ value: Value, _ isSound: @escaping (Value) -> Bool) {
    self.value = value
    self.isSound = isSound
    keep()
  }

  package var remembered: Any? { value }

  package func encode(to writer: inout StateEncoder) { value.encode(to: &writer) }

  package func restore(from reader: inout StateDecoder) throws(StateError) {
    let kept = try Value(from: &reader)
    guard isSound(kept) else { throw StateError("the state does not match the operator") }
    value = kept
  }
}

extension OperatorContext {
  /// Returns a value that the operator remembers: `initial` at first, or the saved one.
  ///
  /// - Parameter isSound: Returns true for a valid value; a damaged state may contain any value of the type.
  package func cell<Value: StateCodable>(
    _ initial: Value, where isSound: @escaping (Value) -> Bool = { _ in true }
  ) -> Cell<Value> {
    Cell(initial, isSound)
  }

  /// Returns a remembered list with a value for each of several items.
  package func cells<Element: StateCodable>(_ initial: [Element]) -> Cell<[Element]> {
    cell(initial) { $0.count == initial.count }
  }
}
