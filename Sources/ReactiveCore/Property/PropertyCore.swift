// The value and its changes are synchronised like this:
//
// - The value is guarded by a small lock, so that it can be read while a change is being delivered.
// - A change is stored and queued for delivery under that lock, so that values are emitted in the order in which they
//   were stored. A thread that changes the property during a delivery, even the delivering one, finds its value stored
//   when `value = x` returns, and its event follows the one under way.
// - A new observer first gets the value last delivered, and then the queued ones.

public import Signals

/// The core of a property: a value, and the node that emits its changes.
@usableFromInline final class PropertyCore<Value>: PropertyLock, @unchecked Sendable {
  @usableFromInline let node: Node<Value, Never>
  @exclusivity(unchecked) @usableFromInline var stored: Value
  /// The value last delivered, while changes are queued.
  @exclusivity(unchecked) @usableFromInline var delivered: Value?
  @exclusivity(unchecked) @usableFromInline var countInLine = 0

  @inlinable init(_ value: Value, domain: Domain = Domain()) {
    stored = value
    node = Node(domain: domain)
  }

  @inlinable var value: Value {
    refuseInsider()
    return withLock { stored }
  }

  func withValue<Result, Failure: Swift.Error>(
    _ action: (Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    beginInside()
    defer {
      endInside()
      release()
    }
    return try action(stored)
  }

  /// Changes the value in place and delivers it.
  @usableFromInline func modify<Result, Failure: Swift.Error>(
    _ action: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    refuseInsider()
    let holdsDomain = node.domain.enter()
    beginInside()
    if !holdsDomain, countInLine == 0 { delivered = stored }
    // After an error too: the action may have changed the value before it.
    defer { commit(holdsDomain) }
    return try action(&stored)
  }

  /// Sets the value and delivers it: `modify` without a user's action, for speed.
  @inlinable func set(_ value: Value) {
    refuseInsider()
    guard node.domain.enter() else { return setInLine(value) }
    acquire()
    if countInLine == 0 {
      let former = stored
      stored = value
      release()
      // Released outside the lock: its deinitialiser may run any code.
      withExtendedLifetime(former) {}
      node.receive(value)
    } else {
      release()
      setInLine(value)
    }
    node.domain.leave()
  }

  @usableFromInline func setInLine(_ value: Value) {
    let former = modify { stored in
      defer { stored = value }
      return stored
    }
    withExtendedLifetime(former) {}
  }

  /// Takes the next value of the followed source; the domain is held.
  @inlinable func follow(_ value: Value) {
    acquire()
    let former = stored
    stored = value
    release()
    withExtendedLifetime(former) {}
    node.receive(value)
  }

  /// The first value for a new observer; the domain is held.
  @inlinable var valueForNewSubscriber: Value { withLock { delivered ?? stored } }

  /// Queues the stored value, or delivers it if nothing is queued; the lock is held.
  private func commit(_ hasEntered: Bool) {
    endInside()
    var holdsDomain = hasEntered
    let value = stored
    var isInLine = false
    while !isInLine, !holdsDomain || countInLine > 0 {
      isInLine = node.domain.appendIfBusy { self.deliverFromLine(value) }
      if !isInLine { holdsDomain = node.domain.tryEnter() }
    }
    let former = delivered
    if isInLine { countInLine += 1 } else { delivered = nil }
    release()
    withExtendedLifetime(former) {}
    if !isInLine { node.receive(value) }
    if holdsDomain { node.domain.leave() }
  }

  private func deliverFromLine(_ value: Value) {
    let former = withLock {
      defer {
        countInLine -= 1
        delivered = countInLine == 0 ? nil : value
      }
      return delivered
    }
    withExtendedLifetime(former) {}
    node.receive(value)
  }
}

extension PropertyCore {
  /// Returns a producer of the value at each start, then its changes; `keeping` lives as long as the producer does.
  func producer(keeping: Any? = nil) -> SignalProducer<Value, Never> {
    SignalProducer(begin: { observer, run in
      guard run.begin(with: Relay(observer)) else { return }
      let entrance = observer.entering(run)
      let slot = Slot(entrance, node: self.node)
      run.hold(slot)
      let domain = self.node.domain
      if domain.enterOnArrival() {
        self.welcome(entrance, slot)
        domain.leave()
      } else {
        domain.queue { self.welcome(entrance, slot) }
      }
      withExtendedLifetime(keeping) {}
    })
  }

  private func welcome(_ observer: Observer<Value, Never>, _ slot: Slot<Value, Never>) {
    observer.receive(valueForNewSubscriber)
    if node.hasEnded { observer.end(.completed) } else { node.place(slot) }
  }

  /// Returns a property that follows this one through a transformation, within the same domain.
  @inlinable func map<U>(_ transform: @escaping (Value) -> U) -> PropertyCore<U> {
    let domain = node.domain
    let holdsDomain = domain.enter()
    let mapped = PropertyCore<U>(transform(valueForNewSubscriber), domain: domain)
    let slot = Slot<Value, Never>(
      Observer(link: mapped, value: { $0.follow(transform($1)) }, ending: { $0.node.end($1) }), node: node)
    mapped.node.source = slot
    if holdsDomain || domain.isHeldByCaller {
      follow(mapped, slot)
    } else {
      domain.queue {
        mapped.follow(transform(self.valueForNewSubscriber))
        self.follow(mapped, slot)
      }
    }
    if holdsDomain { domain.leave() }
    return mapped
  }

  @inlinable func follow<U>(_ mapped: PropertyCore<U>, _ slot: Slot<Value, Never>) {
    if node.hasEnded { mapped.node.end(.completed) } else { node.place(slot) }
  }
}
