public import Signals

extension PropertyProtocol {
  /// The n-th value of this property with the n-th of another.
  public func zip<Other: PropertyProtocol>(with other: Other) -> Property<(Value, Other.Value)> {
    lift(orElse: (value, other.value)) { $0.zip(with: other.producer) }
  }

  /// The n-th values of two properties.
  public static func zip<A: PropertyProtocol, B: PropertyProtocol>(
    _ a: A, _ b: B
  ) -> Property<(Value, B.Value)> where A.Value == Value {
    a.zip(with: b)
  }

  /// The n-th values of three properties or more.
  public static func zip<
    A: PropertyProtocol, B: PropertyProtocol, C: PropertyProtocol, each Other: PropertyProtocol
  >(
    _ a: A, _ b: B, _ c: C, _ others: repeat each Other
  ) -> Property<(Value, B.Value, C.Value, repeat (each Other).Value)> where A.Value == Value {
    Property<(Value, B.Value, C.Value, repeat (each Other).Value)>(
      following: SignalProducer.zip(
        a.producer, b.producer, c.producer, repeat (each others).producer),
      orElse: (a.value, b.value, c.value, repeat (each others).value))
  }

  /// The n-th values of all properties, in their order; nil if there are none.
  public static func zip<Properties: Sequence>(
    _ properties: Properties
  ) -> Property<[Properties.Element.Value]>? where Properties.Element: PropertyProtocol {
    let all = Array(properties)
    guard !all.isEmpty else { return nil }
    return Property<[Properties.Element.Value]>(
      following: SignalProducer.zip(all.map(\.producer)), orElse: all.map(\.value))
  }

  /// The n-th values of all properties, in their order; the constant `emptySentinel` if there are none.
  public static func zip<Properties: Sequence>(
    _ properties: Properties, emptySentinel: [Properties.Element.Value]
  ) -> Property<[Properties.Element.Value]> where Properties.Element: PropertyProtocol {
    zip(properties) ?? Property<[Properties.Element.Value]>(value: emptySentinel)
  }
}
