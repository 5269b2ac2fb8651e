/// Something that a chain can begin with.
public protocol Chainable<Value>: AnyObject {
  /// What it sends.
  associatedtype Value

  /// A chain of what it sends, to be continued and then closed by `end()` or `sync()`.
  func chain() -> Chain<Value>
}
