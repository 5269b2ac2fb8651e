/// The observers of a signal that has had several, in the order of their arrival.
///
/// Slots may be appended during a delivery, which does not reach them; they are removed between deliveries only.
@usableFromInline final class SlotList<Value, Failure: Error> {
  @usableFromInline typealias SlotReference = Unmanaged<Slot<Value, Failure>>

  @exclusivity(unchecked) @usableFromInline var slots: UnsafeMutablePointer<SlotReference>
  @exclusivity(unchecked) @usableFromInline var count: Int
  private var capacity: Int

  init(_ first: SlotReference, _ second: SlotReference) {
    capacity = 4
    slots = .allocate(capacity: capacity)
    slots.initialize(to: first)
    (slots + 1).initialize(to: second)
    count = 2
  }

  deinit { slots.deallocate() }

  var isEmpty: Bool { count == 0 }

  @inlinable func deliver(_ value: Value) {
    var index = 0
    let end = count
    while index < end {
      // `slots` is read afresh each time: an observer that arrives meanwhile may move the list.
      slots[index]._withUnsafeGuaranteedRef { if $0.isLive { $0.observer.receive(value) } }
      index += 1
    }
  }

  func append(_ slot: SlotReference) {
    if count == capacity { grow() }
    (slots + count).initialize(to: slot)
    count += 1
  }

  func remove(_ slot: Slot<Value, Failure>) {
    let sought = Unmanaged.passUnretained(slot).toOpaque()
    guard let index = (0..<count).last(where: { slots[$0].toOpaque() == sought }) else { return }
    let found = slots[index]
    (slots + index).update(from: slots + index + 1, count: count - index - 1)
    count -= 1
    found.release()
  }

  /// Sends the ending to all that are still there, then lets them all go.
  func deliver(_ ending: Ending<Failure>) {
    for index in 0..<count {
      slots[index]._withUnsafeGuaranteedRef { if $0.die() == AnySlot.live { $0.observer.end(ending) } }
    }
    for index in 0..<count { slots[index]._withUnsafeGuaranteedRef { $0.observation?.forget() } }
    releaseAll()
  }

  func releaseAll() {
    for index in 0..<count { slots[index].release() }
    count = 0
  }

  private func grow() {
    let larger = UnsafeMutablePointer<SlotReference>.allocate(capacity: capacity * 2)
    larger.moveInitialize(from: slots, count: count)
    slots.deallocate()
    slots = larger
    capacity *= 2
  }
}
