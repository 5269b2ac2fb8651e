import GraphModel
package import JSON

/// The key of a `group_by` whose pipe emits a value.
///
/// It is known by value, so that it is the same one after its graph has resumed from a state.
package struct EmittingKey: Hashable {
  /// The place of the `group_by` in the declaration of its signal.
  private let place: Int
  /// Counts the keys that the `group_by` has opened.
  private let number: UInt64
  /// The variables of its pipe: those of enclosing operators, from the outermost, and the key itself.
  package let keys: [JSONValue]

  package init(_ key: JSONValue, number: UInt64, in context: OperatorContext) {
    place = context.place.index
    self.number = number
    keys = context.body.variables + [key]
  }

  /// Returns true for a key of a `group_by` within the pipe of the other key.
  func isWithin(_ other: EmittingKey) -> Bool { keys.count > other.keys.count && keys.starts(with: other.keys) }
}

extension RunningSignal {
  /// Emits a value of a key's pipe; the series of the signal's metric are known by the keys.
  package func emit(for key: @autoclosure () -> EmittingKey, _ emission: () -> Void) {
    guard declaration.hasMetric, let metric = declaration.traits.metric else { return emission() }
    let (outer, key) = (emittingKey, key())
    let isOuterDeeper = outer.map { $0.isWithin(key) && metric.admits(keys: $0.keys.count) } ?? false
    if !isOuterDeeper { emittingKey = key }
    emission()
    emittingKey = outer
  }

  /// Ends what the signal's metric has of a key whose pipe has ended.
  package func end(_ key: @autoclosure () -> EmittingKey) {
    if declaration.hasMetric { engine.onKeyEnd(self, key()) }
  }
}
