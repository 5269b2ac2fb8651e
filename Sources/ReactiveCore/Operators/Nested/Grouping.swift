/// One group: what sends to it, and when it was last sent a value.
@usableFromInline final class Group<Value, Failure: Error> {
  @usableFromInline let input: PipeInput<Value, Failure>
  @exclusivity(unchecked) @usableFromInline var lastSeen = Instant.zero
  @usableFromInline var isOpen = true

  @inlinable init(_ node: Node<Value, Failure>) { input = PipeInput(node) }
}

/// The groups of a stream: what its source sends to.
///
/// A group is a pipe, so it is interrupted when the stream is let go.
@usableFromInline final class Grouping<Value, Key: Hashable, Element, Downstream: Receiver>
where Downstream.Value == GroupedSignal<Key, Element, Downstream.Failure> {
  @usableFromInline typealias Failure = Downstream.Failure

  @usableFromInline let plan: GroupBy<Value, Key, Element, Failure>
  @usableFromInline let downstream: Downstream
  @exclusivity(unchecked) @usableFromInline var groups: [Key: Group<Element, Failure>] = [:]
  /// In the order in which they were opened; those that were closed are left in for a while.
  @exclusivity(unchecked) @usableFromInline var order = Fifo<(key: Key, group: Group<Element, Failure>)>()

  @inlinable init(_ plan: GroupBy<Value, Key, Element, Failure>, _ downstream: Downstream) {
    self.plan = plan
    self.downstream = downstream
  }

  /// Sends a value to its group; the group, if it had to be opened for it.
  @inlinable @discardableResult func receive(_ value: Value) -> (key: Key, group: Group<Element, Failure>)? {
    let key = plan.key(value)
    if let group = groups[key] {
      group.input.node.send(plan.transform(value))
      return nil
    }
    guard let group = open(key) else { return nil }
    group.input.node.send(plan.transform(value))
    return (key, group)
  }

  @usableFromInline func end(_ ending: Ending<Failure>) {
    let open = order.all.filter(\.group.isOpen)
    (groups, order) = ([:], Fifo())
    downstream.end(ending)
    for (_, group) in open { group.input.node.send(ending) }
  }

  /// Completes a group; a later value of its key opens another.
  @usableFromInline func close(_ key: Key, _ group: Group<Element, Failure>) {
    guard group.isOpen else { return }
    group.isOpen = false
    groups[key] = nil
    if order.count > 2 * groups.count + 16 { order = Fifo(order.all.filter(\.group.isOpen)) }
    group.input.node.send(.completed)
  }

  @usableFromInline func closeOldest() {
    while let oldest = order.popFirst() {
      if oldest.group.isOpen { return close(oldest.key, oldest.group) }
    }
  }

  /// Opens a group, and makes room for it before if need be.
  @usableFromInline func open(_ key: Key) -> Group<Element, Failure>? {
    if let bound = plan.limit, groups.count >= bound.limit {
      switch bound.overflow {
      case .dropNewest: return nil
      case .dropOldest: closeOldest()
      case .fail(let error):
        end(.failed(error))
        return nil
      }
    }
    let node = Node<Element, Failure>(domain: Domain())
    let group = Group(node)
    groups[key] = group
    order.append((key, group))
    downstream.receive(GroupedSignal(key: key, node))
    return group
  }
}
