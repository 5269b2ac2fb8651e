// Who holds whom (=> strong):
//
//     user => Signal => Node => its Slots => Observer => what the user's closures hold
//                        ^                          \=> the Node of a derived signal
//                        |  Slot => Node (until the slot is let go)
//     pipe's input => Node
//     user => Observation => Slot (until it is disposed of, or the signal has ended)
//     derived Node => its Slot in the source's Node, or the Scope of a join (until it ended or is abandoned)
//
// A node ends by an ending, which lets everything go; or it is abandoned: its `Signal` is gone and so is its last
// observer, and then it leaves its source, which may be abandoned by that in turn. A pipe whose input is let go without
// an ending is interrupted. So every circle above is broken.

/// The inside of a signal: its observers, and what feeds it.
///
/// All of it is touched while the domain is held.
@usableFromInline final class Node<Value, Failure: Error> {
  @usableFromInline typealias SlotReference = Unmanaged<Slot<Value, Failure>>

  @usableFromInline let domain: Domain

  /// The only observer, as long as there never were two: called without a loop.
  @exclusivity(unchecked) @usableFromInline var one: SlotReference?

  /// The observers in the order of their arrival, once there were two.
  @exclusivity(unchecked) @usableFromInline var many: SlotList<Value, Failure>?

  /// The source that feeds this node, disposed of when the node ends or is abandoned.
  @exclusivity(unchecked) @usableFromInline var source: (any Disposable)?

  /// False once the `Signal` of this node is gone: nobody can begin to observe it.
  @exclusivity(unchecked) var isObservable = true

  @exclusivity(unchecked) @usableFromInline var hasEnded = false

  /// True for a node that nothing can ever feed: nobody keeps its observers, since nobody would let them go.
  @usableFromInline let isMute: Bool

  @usableFromInline init(domain: Domain, isMute: Bool = false) {
    self.domain = domain
    self.isMute = isMute
  }

  deinit {
    one?.release()
    many?.releaseAll()
  }
}

extension Node: Receiver {
  @inlinable @inline(__always) func receive(_ value: Value) {
    if let one {
      one._withUnsafeGuaranteedRef { if $0.isLive { $0.observer.receive(value) } }
    } else if let many {
      many.deliver(value)
    }
  }

  @usableFromInline func end(_ ending: Ending<Failure>) {
    guard !hasEnded else { return }
    hasEnded = true
    if let one {
      self.one = nil
      one._withUnsafeGuaranteedRef { $0.end(ending) }
      one.release()
    } else if let many {
      self.many = nil
      many.deliver(ending)
    }
    leaveSource()
  }

  /// Sends a value from outside the domain.
  @inlinable @inline(__always) func send(_ value: Value) {
    if domain.enter() {
      receive(value)
      domain.leave()
    } else {
      domain.queue { self.receive(value) }
    }
  }

  /// Sends the ending from outside the domain.
  ///
  /// A failure or an interruption comes before the values of those who wait for the domain already.
  @inlinable func send(_ ending: Ending<Failure>) {
    if domain.enter(for: ending) {
      end(ending)
      domain.leave()
    } else {
      domain.queue(ending) { self.end(ending) }
    }
  }
}

// MARK: Observers

extension Node {
  /// Gives an observer its place, or interrupts it if the signal has ended.
  @usableFromInline func place(_ slot: Slot<Value, Failure>) {
    if domain.beginRestructuring(isArrival: true) {
      attach(slot)
      domain.endRestructuring()
    } else if domain.isHeldByCaller {
      attach(slot)
    } else {
      domain.queueRestructuring { self.attach(slot) }
    }
  }

  /// Lets go of a slot that is dead already: now, or after the deliveries that may be using it.
  func release(_ slot: Slot<Value, Failure>) {
    if domain.beginRestructuring() {
      remove(slot)
      domain.endRestructuring()
    } else if domain.isRestructuredByCaller {
      remove(slot)
    } else {
      // Carried out between two deliveries, so at once: queueing again would never end.
      domain.queue { self.remove(slot) }
    }
  }

  /// The `Signal` of this node is gone.
  @usableFromInline func close() {
    if domain.beginRestructuring() {
      closeWithinDomain()
      domain.endRestructuring()
    } else if domain.isHeldByCaller {
      closeWithinDomain()
    } else {
      domain.queueRestructuring { self.closeWithinDomain() }
    }
  }

  private func attach(_ slot: Slot<Value, Failure>) {
    guard !hasEnded else { return refuse(slot) }
    guard slot.live(), !isMute else { return }
    let reference = Unmanaged.passRetained(slot)
    if let many {
      many.append(reference)
    } else if let one {
      many = SlotList(one, reference)
      self.one = nil
    } else {
      one = reference
    }
  }

  private func refuse(_ slot: Slot<Value, Failure>) {
    if slot.die() == AnySlot.waiting { slot.observer.end(.interrupted) }
    slot.observation?.forget()
  }

  private func remove(_ slot: Slot<Value, Failure>) {
    if let one, one.toOpaque() == Unmanaged.passUnretained(slot).toOpaque() {
      self.one = nil
      one.release()
    } else {
      many?.remove(slot)
    }
    leaveSourceIfAbandoned()
  }

  private func closeWithinDomain() {
    isObservable = false
    leaveSourceIfAbandoned()
  }

  private func leaveSourceIfAbandoned() {
    if isAbandoned { leaveSource() }
  }

  /// Whether nobody observes it, nor ever will.
  var isAbandoned: Bool { !isObservable && one == nil && many?.isEmpty ?? true }

  private func leaveSource() {
    let left = source
    source = nil
    left?.dispose()
  }
}
