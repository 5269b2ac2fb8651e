/// One group: its key, its input, and its place in the order of last use.
@usableFromInline final class Group<Key, Value, Failure: Error> {
  @usableFromInline let key: Key
  @usableFromInline let input: PipeInput<Value, Failure>
  @exclusivity(unchecked) @usableFromInline var isOpen = true

  @exclusivity(unchecked) var lastSeen = Instant.zero
  @exclusivity(unchecked) unowned var older: Group?
  @exclusivity(unchecked) unowned var newer: Group?

  @usableFromInline init(_ key: Key, _ node: Node<Value, Failure>) {
    self.key = key
    input = PipeInput(node)
  }
}

/// The groups of a stream: the observer of its source.
///
/// A group is a pipe, so it is interrupted when the stream is released.
@usableFromInline final class Grouping<Value, Key: Hashable, Element, Downstream: Receiver>
where Downstream.Value == GroupedSignal<Key, Element, Downstream.Failure> {
  @usableFromInline typealias Failure = Downstream.Failure
  @usableFromInline typealias Member = Group<Key, Element, Failure>

  @usableFromInline let plan: GroupBy<Value, Key, Element, Failure>
  @usableFromInline let downstream: Downstream
  @exclusivity(unchecked) @usableFromInline var groups: [Key: Member] = [:]
  /// In the order of opening; closed ones remain for a while.
  @exclusivity(unchecked) @usableFromInline var order = Fifo<Member>()
  /// The groups with an idle time.
  @exclusivity(unchecked) var watched = GroupsByAge<Key, Element, Failure>()

  @inlinable init(_ plan: GroupBy<Value, Key, Element, Failure>, _ downstream: Downstream) {
    self.plan = plan
    self.downstream = downstream
  }

  /// Sends a value to its group, opening it if necessary; nil if there was no capacity for one.
  @inlinable @discardableResult func receive(_ value: Value) -> Member? {
    let key = plan.key(value)
    guard let group = groups[key] ?? open(key) else { return nil }
    group.input.node.send(plan.transform(value))
    return group
  }

  @usableFromInline func end(_ ending: Ending<Failure>) {
    let open = order.all.filter(\.isOpen)
    (groups, order, watched) = ([:], Fifo(), GroupsByAge())
    downstream.end(ending)
    for group in open { group.input.end(ending) }
  }

  /// Completes a group; a later value of its key opens another.
  func close(_ group: Member) {
    guard group.isOpen else { return }
    group.isOpen = false
    watched.remove(group)
    groups[group.key] = nil
    if order.count > 2 * groups.count + 16 { order = Fifo(order.all.filter(\.isOpen)) }
    group.input.end(.completed)
  }

  private func closeOldest() {
    while let oldest = order.popFirst() {
      if oldest.isOpen { return close(oldest) }
    }
  }

  /// Opens a group, after making room for it if necessary.
  @usableFromInline func open(_ key: Key) -> Member? {
    if let bound = plan.limit, groups.count >= bound.limit {
      switch bound.overflow {
      case .dropNewest:
        bound.onDrop?()
        return nil
      case .dropOldest: closeOldest()
      case .fail(let error):
        end(.failed(error))
        return nil
      }
    }
    let node = Node<Element, Failure>(domain: Domain())
    let group = Member(key, node)
    groups[key] = group
    order.append(group)
    downstream.receive(GroupedSignal(key: key, node))
    return group
  }
}
