/// A type that can start a chain.
public protocol Chainable<Value>: AnyObject {
  /// The type of its values.
  associatedtype Value

  /// A chain of its values, to be continued and then closed by `end()` or `sync()`.
  func chain() -> Chain<Value>
}
