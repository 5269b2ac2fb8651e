public import Signals

extension PropertyProtocol {
  /// The value of the properties made of the values, as selected by `strategy`.
  ///
  /// - Parameters:
  ///   - strategy: The treatment of several inner properties.
  ///   - transform: Makes the inner property for a value.
  public func flatMap<Inner: PropertyProtocol>(
    _ strategy: FlattenStrategy, _ transform: @escaping (Value) -> Inner
  ) -> Property<Inner.Value> {
    lift(orElse: transform(value).value) { $0.flatMap(strategy) { transform($0).producer } }
  }
}

extension PropertyProtocol where Value: PropertyProtocol {
  /// The value of the inner properties, as selected by `strategy`.
  public func flatten(_ strategy: FlattenStrategy) -> Property<Value.Value> { flatMap(strategy) { $0 } }
}
