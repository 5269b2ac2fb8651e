public import Synchronization

/// The place of an observer in a node, apart from its types.
@usableFromInline class AnySlot: Disposable, @unchecked Sendable {
  /// Whether the observer is still waiting for its place, has it, or shall hear nothing more.
  ///
  /// A delivery looks at it before each call, so that a disposal from another thread works at once.
  @usableFromInline let state = Atomic<UInt8>(AnySlot.waiting)

  /// Where the node's list has it; touched within the domain.
  ///
  /// Small, to lie beside the state at no cost.
  @exclusivity(unchecked) @usableFromInline final var place: UInt32 = 0

  @usableFromInline static var waiting: UInt8 { 0 }
  @usableFromInline static var live: UInt8 { 1 }
  @usableFromInline static var dead: UInt8 { 2 }

  @inlinable init() {}

  @inlinable @inline(__always) final var isLive: Bool { state.load(ordering: .relaxed) == AnySlot.live }

  @usableFromInline final var isDisposed: Bool { state.load(ordering: .relaxed) == AnySlot.dead }

  @usableFromInline func dispose() {}

  /// Takes the place; false if the observation was disposed of meanwhile.
  final func live() -> Bool {
    state.compareExchange(expected: AnySlot.waiting, desired: AnySlot.live, ordering: .acquiringAndReleasing).exchanged
  }

  /// Marks it dead; what it was before.
  final func die() -> UInt8 { state.exchange(AnySlot.dead, ordering: .acquiringAndReleasing) }
}

/// The place of an observer in a node.
///
/// Nodes keep slots unmanaged and call the closures without a retain: a slot is let go only by the holder of the
/// domain, and only between two deliveries.
@usableFromInline final class Slot<Value, Failure: Error>: AnySlot, @unchecked Sendable {
  @usableFromInline let observer: Observer<Value, Failure>
  @usableFromInline let node: Node<Value, Failure>
  @usableFromInline let observation: Observation?

  @inlinable init(
    _ observer: Observer<Value, Failure>, node: Node<Value, Failure>, observation: Observation? = nil
  ) {
    self.observer = observer
    self.node = node
    self.observation = observation
  }

  /// Hands on the ending, the last that the observer hears, and tells the holder of the observation to forget it.
  func end(_ ending: Ending<Failure>) {
    if die() == AnySlot.live { observer.end(ending) }
    observation?.forget()
  }

  @usableFromInline override func dispose() {
    // An observation that is disposed of while it still waits for its place never takes it: `attach` finds it dead.
    if die() == AnySlot.live { node.release(self) }
  }
}
