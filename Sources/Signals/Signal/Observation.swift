import Synchronization

/// The result of `observe`: it ends the observation, and retains nothing once that or the signal has ended.
@usableFromInline package final class Observation: Disposable, @unchecked Sendable {
  /// The slot, retained, until one of the two releases it.
  private let slot = Atomic<Unmanaged<AnySlot>?>(nil)

  @usableFromInline init() {}

  deinit { forget() }

  @usableFromInline package var isDisposed: Bool { slot.load(ordering: .relaxed) == nil }

  @usableFromInline package func dispose() {
    slot.exchange(nil, ordering: .acquiringAndReleasing)?.takeRetainedValue().dispose()
  }

  /// Sets the slot that this ends; called once, before the slot is added.
  @usableFromInline func begin(_ slot: AnySlot) {
    self.slot.store(Unmanaged.passRetained(slot), ordering: .releasing)
  }

  /// Releases the slot without ending the observation, which has ended by itself.
  @usableFromInline func forget() {
    slot.exchange(nil, ordering: .acquiringAndReleasing)?.release()
  }
}
