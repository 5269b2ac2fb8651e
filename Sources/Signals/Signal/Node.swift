// Who holds whom (=> strong):
//
//     user => Signal => Node => its Slots => Observer => what the user's closures hold
//                        ^                          \=> the Node of a derived signal
//                        |  Slot => Node (until the slot is released)
//     pipe's input => Node
//     user => Observation => Slot (until it is disposed of, or the signal has ended)
//     derived Node => its Slot in the source's Node, or the Scope of a join (until it ended or is abandoned)
//
// A node ends by an ending, which releases everything; or it is abandoned: its `Signal` and its last observer are gone,
// and then it disconnects from its source, which may be abandoned by that in turn. A pipe whose input is released
// without an ending is interrupted. So every cycle above is broken.

/// The core of a signal: its observers, and its source.
///
/// Accessed only while the domain is held.
@usableFromInline package final class Node<Value, Failure: Error> {
  @usableFromInline typealias SlotReference = Unmanaged<Slot<Value, Failure>>

  @usableFromInline package let domain: Domain

  /// The only observer, as long as there never were two: called without a loop.
  @exclusivity(unchecked) @usableFromInline var one: SlotReference?

  /// The observers in the order of their arrival, once there were two.
  @exclusivity(unchecked) @usableFromInline var many: SlotList<Value, Failure>?

  /// The source of this node, disposed of when the node ends or is abandoned.
  @exclusivity(unchecked) @usableFromInline package var source: (any Disposable)?

  /// False once the `Signal` of this node is gone: it can get no new observer.
  @exclusivity(unchecked) var isObservable = true

  @exclusivity(unchecked) @usableFromInline package var hasEnded = false

  /// True for a node without a source: it does not retain its observers, since nothing would release them.
  @usableFromInline let isMute: Bool

  @usableFromInline package init(domain: Domain, isMute: Bool = false) {
    self.domain = domain
    self.isMute = isMute
  }

  deinit {
    one?.release()
    many?.releaseAll()
  }
}

extension Node: Receiver {
  @inlinable @inline(__always) package func receive(_ value: Value) {
    if let one {
      one._withUnsafeGuaranteedRef { if $0.isLive { $0.observer.receive(value) } }
    } else if let many {
      many.deliver(value)
    }
  }

  @usableFromInline package func end(_ ending: Ending<Failure>) {
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
  @inlinable @inline(__always) package func send(_ value: Value) {
    if domain.enter() {
      receive(value)
      domain.leave()
    } else {
      domain.queue { self.receive(value) }
    }
  }

  /// Sends the ending from outside the domain.
  ///
  /// A failure or an interruption precedes the values of threads that wait for the domain.
  @inlinable package func send(_ ending: Ending<Failure>) {
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
  /// Adds an observer, or interrupts it if the signal has ended.
  @usableFromInline package func place(_ slot: Slot<Value, Failure>) {
    if domain.beginRestructuring(isArrival: true) {
      attach(slot)
      domain.endRestructuring()
    } else if domain.isHeldByCaller {
      attach(slot)
    } else {
      domain.queueRestructuring { self.attach(slot) }
    }
  }

  /// Releases a dead slot: now, or after the deliveries that may be using it.
  func release(_ slot: Slot<Value, Failure>) {
    if domain.beginRestructuring() {
      remove(slot)
      domain.endRestructuring()
    } else if domain.isRestructuredByCaller {
      remove(slot)
    } else {
      // Runs between two deliveries, so it removes at once: queueing again would never end.
      domain.queue { self.remove(slot) }
    }
  }

  /// Handles the deallocation of this node's `Signal`.
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

  /// True if it has no observer and can get none.
  var isAbandoned: Bool { !isObservable && one == nil && many?.isEmpty ?? true }

  private func leaveSource() {
    let left = source
    source = nil
    left?.dispose()
  }
}
