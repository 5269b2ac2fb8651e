/// The values with one key, as a signal that exposes it: the element of `groupBy`.
public final class GroupedSignal<Key, Value, Failure: Error>: Signal<Value, Failure>, @unchecked Sendable {
  /// The key that its values have in common.
  public let key: Key

  @usableFromInline init(key: Key, _ node: Node<Value, Failure>) {
    self.key = key
    super.init(node)
  }
}
