public import Signals

extension PropertyProtocol where Value == Bool {
  /// True while this is false.
  public func negate() -> Property<Bool> { map { !$0 } }

  /// True while both are true.
  public func and<Other: PropertyProtocol>(_ property: Other) -> Property<Bool> where Other.Value == Bool {
    lift(orElse: value && property.value) { $0.and(property.producer) }
  }

  /// True while one of the two is true.
  public func or<Other: PropertyProtocol>(_ property: Other) -> Property<Bool> where Other.Value == Bool {
    lift(orElse: value || property.value) { $0.or(property.producer) }
  }

  /// True while all are true, also for an empty collection.
  public static func all<Element: PropertyProtocol, Properties: Collection>(_ properties: Properties) -> Property<Bool>
  where Element.Value == Bool, Properties.Element == Element {
    combine(properties) { values in values.allSatisfy { $0 } }
  }

  /// True while all are true.
  public static func all<Element: PropertyProtocol>(_ properties: Element...) -> Property<Bool>
  where Element.Value == Bool {
    all(properties)
  }

  /// True while one of them is true; false for an empty collection.
  public static func any<Element: PropertyProtocol, Properties: Collection>(_ properties: Properties) -> Property<Bool>
  where Element.Value == Bool, Properties.Element == Element {
    combine(properties) { values in values.contains(true) }
  }

  /// True while one of them is true.
  public static func any<Element: PropertyProtocol>(_ properties: Element...) -> Property<Bool>
  where Element.Value == Bool {
    any(properties)
  }

  private static func combine<Properties: Collection>(
    _ properties: Properties, by combination: @escaping ([Bool]) -> Bool
  ) -> Property<Bool> where Properties.Element: PropertyProtocol, Properties.Element.Value == Bool {
    Property(
      initial: combination(properties.map(\.value)),
      then: SignalProducer.combineLatest(properties.map(\.producer)).map(combination))
  }
}
