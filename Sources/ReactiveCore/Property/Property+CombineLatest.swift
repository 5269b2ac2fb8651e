public import Signals

extension PropertyProtocol {
  /// The values of this property and another.
  public func combineLatest<Other: PropertyProtocol>(with other: Other) -> Property<(Value, Other.Value)> {
    lift(orElse: (value, other.value)) { $0.combineLatest(with: other.producer) }
  }

  /// The values of two properties.
  public static func combineLatest<A: PropertyProtocol, B: PropertyProtocol>(
    _ a: A, _ b: B
  ) -> Property<(Value, B.Value)> where A.Value == Value {
    a.combineLatest(with: b)
  }

  /// The values of three properties or more.
  public static func combineLatest<
    A: PropertyProtocol, B: PropertyProtocol, C: PropertyProtocol, each Other: PropertyProtocol
  >(
    _ a: A, _ b: B, _ c: C, _ others: repeat each Other
  ) -> Property<(Value, B.Value, C.Value, repeat (each Other).Value)> where A.Value == Value {
    Property<(Value, B.Value, C.Value, repeat (each Other).Value)>(
      following: SignalProducer.combineLatest(
        a.producer, b.producer, c.producer, repeat (each others).producer),
      orElse: (a.value, b.value, c.value, repeat (each others).value))
  }

  /// The values of all properties, in their order; nil if there are none.
  public static func combineLatest<Properties: Sequence>(
    _ properties: Properties
  ) -> Property<[Properties.Element.Value]>? where Properties.Element: PropertyProtocol {
    let all = Array(properties)
    guard !all.isEmpty else { return nil }
    return Property<[Properties.Element.Value]>(
      following: SignalProducer.combineLatest(all.map(\.producer)), orElse: all.map(\.value))
  }

  /// The values of all properties, in their order; the constant `emptySentinel` if there are none.
  public static func combineLatest<Properties: Sequence>(
    _ properties: Properties, emptySentinel: [Properties.Element.Value]
  ) -> Property<[Properties.Element.Value]> where Properties.Element: PropertyProtocol {
    combineLatest(properties) ?? Property<[Properties.Element.Value]>(value: emptySentinel)
  }
}
