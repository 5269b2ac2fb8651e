public import Synchronization

/// The slot of an observer in a node, without its types.
@usableFromInline package class AnySlot: Disposable, @unchecked Sendable {
  /// The state of the observer: waiting for its place, live, or dead.
  ///
  /// A delivery reads it before each call, so that a disposal from another thread takes effect at once.
  @usableFromInline let state = Atomic<UInt8>(AnySlot.waiting)

  /// The index in the node's list; accessed within the domain.
  ///
  /// Small, to fit beside the state at no cost.
  @exclusivity(unchecked) @usableFromInline final var place: UInt32 = 0

  @usableFromInline static var waiting: UInt8 { 0 }
  @usableFromInline static var live: UInt8 { 1 }
  @usableFromInline static var dead: UInt8 { 2 }

  @inlinable init() {}

  @inlinable @inline(__always) final var isLive: Bool { state.load(ordering: .relaxed) == AnySlot.live }

  @usableFromInline package final var isDisposed: Bool { state.load(ordering: .relaxed) == AnySlot.dead }

  @usableFromInline package func dispose() {}

  /// Marks the slot live; false if the observation was disposed of meanwhile.
  final func live() -> Bool {
    state.compareExchange(expected: AnySlot.waiting, desired: AnySlot.live, ordering: .acquiringAndReleasing).exchanged
  }

  /// Marks the slot dead and returns the previous state.
  final func die() -> UInt8 { state.exchange(AnySlot.dead, ordering: .acquiringAndReleasing) }
}

/// The slot of an observer in a node.
///
/// Nodes hold slots unmanaged and call the closures without a retain: a slot is released only by the holder of the
/// domain, and only between two deliveries.
@usableFromInline package final class Slot<Value, Failure: Error>: AnySlot, @unchecked Sendable {
  @usableFromInline let observer: Observer<Value, Failure>
  @usableFromInline let node: Node<Value, Failure>
  @usableFromInline let observation: Observation?

  @inlinable package init(
    _ observer: Observer<Value, Failure>, node: Node<Value, Failure>, observation: Observation? = nil
  ) {
    self.observer = observer
    self.node = node
    self.observation = observation
  }

  /// Delivers the ending, the observer's last event, and clears the holder of the observation.
  func end(_ ending: Ending<Failure>) {
    if die() == AnySlot.live { observer.end(ending) }
    observation?.forget()
  }

  @usableFromInline package override func dispose() {
    // An observation that is disposed of before it has its place never takes it: `attach` finds it dead.
    if die() == AnySlot.live { node.release(self) }
  }
}
