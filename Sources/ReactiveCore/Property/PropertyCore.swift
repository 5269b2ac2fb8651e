// The value and its changes are kept in step like this:
//
// - The value lies behind a small lock, so that it can be read while a change is being delivered.
// - A change is stored and put in line for delivery under that lock, so that values are sent in the order in which they
//   were stored. A thread that changes the property while it is being delivered, even the deliverer itself, finds
//   its value stored when `value = x` returns, and its event comes after the one under way.
// - An observer that comes in between first sees the value last delivered, and then those in line.

/// The inside of a property: a value, and the node that sends its changes.
@usableFromInline final class PropertyCore<Value>: PropertyLock, @unchecked Sendable {
  @usableFromInline let node: Node<Value, Never>
  @exclusivity(unchecked) @usableFromInline var stored: Value
  /// The value last delivered, while changes are in line.
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
      // Let go outside the lock: its deinitialiser may do anything.
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

  /// Takes the next value of what this property follows; the domain is held.
  @inlinable func follow(_ value: Value) {
    acquire()
    let former = stored
    stored = value
    release()
    withExtendedLifetime(former) {}
    node.receive(value)
  }

  /// The value that a newcomer gets first; the domain is held.
  @inlinable var valueForNewcomer: Value { withLock { delivered ?? stored } }

  /// Puts the stored value in line, or delivers it if nobody is before it; the lock is held.
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
  /// The value at each start, then its changes; `keeping` is what must live as long as the producer does.
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
    observer.receive(valueForNewcomer)
    if node.hasEnded { observer.end(.completed) } else { node.place(slot) }
  }

  /// A property that follows this one through a transformation, within the same domain.
  @inlinable func map<U>(_ transform: @escaping (Value) -> U) -> PropertyCore<U> {
    let domain = node.domain
    let holdsDomain = domain.enter()
    let mapped = PropertyCore<U>(transform(valueForNewcomer), domain: domain)
    let slot = Slot<Value, Never>(
      Observer(link: mapped, value: { $0.follow(transform($1)) }, ending: { $0.node.end($1) }), node: node)
    mapped.node.source = slot
    if holdsDomain || domain.isHeldByCaller {
      follow(mapped, slot)
    } else {
      domain.queue {
        mapped.follow(transform(self.valueForNewcomer))
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
