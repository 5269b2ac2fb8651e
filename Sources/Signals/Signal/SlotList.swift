/// The observers of a signal that has had several, in the order of their arrival.
///
/// Slots may be appended during a delivery, which does not reach them; they are removed between deliveries only. Each
/// knows its index, where it leaves a gap; the list is compacted when gaps outnumber slots.
@usableFromInline final class SlotList<Value, Failure: Error> {
  /// Without its types, which unspecialised code would have to look up to make it optional.
  @usableFromInline typealias SlotReference = Unmanaged<AnySlot>

  @exclusivity(unchecked) @usableFromInline var slots: UnsafeMutablePointer<SlotReference?>
  /// The number of places used, gaps included.
  @exclusivity(unchecked) @usableFromInline var count: Int
  private var gaps = 0
  private var capacity: Int

  init(_ first: Unmanaged<Slot<Value, Failure>>, _ second: Unmanaged<Slot<Value, Failure>>) {
    capacity = 4
    slots = .allocate(capacity: capacity)
    count = 0
    append(first)
    append(second)
  }

  deinit { slots.deallocate() }

  var isEmpty: Bool { count == gaps }

  @inlinable func deliver(_ value: Value) {
    var index = 0
    let end = count
    while index < end {
      // `slots` is read again each time: an observer that arrives meanwhile may move the list.
      slots[index]?._withUnsafeGuaranteedRef { slot in
        if slot.isLive { unsafeDowncast(slot, to: Slot<Value, Failure>.self).observer.receive(value) }
      }
      index += 1
    }
  }

  func append(_ slot: Unmanaged<Slot<Value, Failure>>) {
    if count == capacity { grow() }
    (slots + count).initialize(to: SlotReference.fromOpaque(slot.toOpaque()))
    slot._withUnsafeGuaranteedRef { $0.place = UInt32(count) }
    count += 1
  }

  /// Removes a slot, if present.
  func remove(_ slot: Slot<Value, Failure>) {
    let place = Int(slot.place)
    guard place < count, let found = slots[place], found.toOpaque() == Unmanaged.passUnretained(slot).toOpaque() else {
      return
    }
    slots[place] = nil
    gaps += 1
    if gaps * 2 > count { closeGaps() }
    found.release()
  }

  /// Delivers the ending to all remaining slots, then releases them.
  func deliver(_ ending: Ending<Failure>) {
    for index in 0..<count {
      withSlot(at: index) { if $0.die() == AnySlot.live { $0.observer.end(ending) } }
    }
    for index in 0..<count { withSlot(at: index) { $0.observation?.forget() } }
    releaseAll()
  }

  private func withSlot(at index: Int, _ body: (Slot<Value, Failure>) -> Void) {
    slots[index]?._withUnsafeGuaranteedRef { body(unsafeDowncast($0, to: Slot<Value, Failure>.self)) }
  }

  func releaseAll() {
    for index in 0..<count { slots[index]?.release() }
    count = 0
    gaps = 0
  }

  /// Compacts the list, which costs no more than the removals since the last time.
  private func closeGaps() {
    var kept = 0
    for index in 0..<count {
      guard let slot = slots[index] else { continue }
      slots[kept] = slot
      slot._withUnsafeGuaranteedRef { $0.place = UInt32(kept) }
      kept += 1
    }
    count = kept
    gaps = 0
  }

  private func grow() {
    let larger = UnsafeMutablePointer<SlotReference?>.allocate(capacity: capacity * 2)
    larger.moveInitialize(from: slots, count: count)
    slots.deallocate()
    slots = larger
    capacity *= 2
  }
}
