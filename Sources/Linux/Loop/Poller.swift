import CSystemd
import Glibc

/// Something with a descriptor that a poller watches.
package protocol PollTarget: AnyObject {
  /// The descriptor is ready: do one round of work, not all there is, so that others have their turn.
  func ready(_ readiness: Readiness)
}

/// Many descriptors behind one: an epoll set, on which a loop can wait.
///
/// Each turn serves a batch. The kernel puts a descriptor that stays ready at the end of its list, so each ready one is
/// served before any is served twice, however many there are.
package final class Poller {
  /// The handle that `add` returns, to change or remove a descriptor with.
  package struct Key: Equatable, Sendable {
    fileprivate let slot: UInt32
    fileprivate let generation: UInt32

    fileprivate var packed: UInt64 { UInt64(generation) << 32 | UInt64(slot) }
  }

  private struct Slot {
    var target: (any PollTarget)?
    // An event that was fetched before its descriptor was removed must not reach the slot's next owner.
    var generation: UInt32 = 0
  }

  private let epoll: OwnedDescriptor
  private var slots: [Slot] = []
  private var free: [UInt32] = []
  private let batch: UnsafeMutableBufferPointer<epoll_event>

  /// - Parameter batchSize: the most descriptors that a turn serves.
  package init(batchSize: Int = 256) throws(Errno) {
    let number = epoll_create1(Int32(EPOLL_CLOEXEC))
    if number == -1 { throw .last("epoll_create1") }
    epoll = OwnedDescriptor(owning: number)
    batch = .allocate(capacity: batchSize)
  }

  deinit {
    batch.deallocate()
  }

  /// Makes a loop wait for this poller and serve a batch of its ready descriptors a turn, until the returned object is
  /// gone.
  /// - Parameter begin: called before each batch.
  package func attach(to loop: EventLoop, begin: @escaping () -> Void = {}) throws(Errno) -> PollerAttachment {
    try PollerAttachment(self, loop, begin)
  }

  /// Watches a descriptor; the target is kept until it is removed.
  package func add(_ descriptor: Int32, _ target: any PollTarget, for interest: Readiness) throws(Errno) -> Key {
    let key = take(target)
    do throws(Errno) {
      try control(EPOLL_CTL_ADD, descriptor, key, interest)
    } catch {
      release(key)
      throw error
    }
    return key
  }

  /// Changes what a descriptor is watched for.
  package func change(_ key: Key, _ descriptor: Int32, for interest: Readiness) throws(Errno) {
    try control(EPOLL_CTL_MOD, descriptor, key, interest)
  }

  /// Stops watching; to be called before the descriptor is closed.
  package func remove(_ key: Key, _ descriptor: Int32) throws(Errno) {
    release(key)
    try control(EPOLL_CTL_DEL, descriptor, key, [])
  }

  /// Serves ready descriptors, at most a batch.
  /// - Parameters:
  ///   - timeout: the longest wait if none is ready; `nil` for ever.
  ///   - begin: called when one is.
  /// - Returns: the number of descriptors served.
  @discardableResult
  package func serve(timeout: Duration? = .zero, begin: () -> Void = {}) throws(Errno) -> Int {
    let epoll = epoll.number
    let limit = timeout.map { Int32(clamping: $0.milliseconds) } ?? -1
    let count = epoll_wait(epoll, batch.baseAddress, Int32(batch.count), limit)
    if count == -1 && errno == EINTR { return 0 }
    if count == -1 { throw .last("epoll_wait") }
    if count > 0 { begin() }
    for index in 0..<Int(count) {
      let event = batch[index]
      let packed = event.data.u64
      let slot = slots[Int(truncatingIfNeeded: packed & 0xffff_ffff)]
      guard slot.generation == UInt32(packed >> 32), let target = slot.target else { continue }
      target.ready(Readiness(rawValue: event.events))
    }
    return Int(count)
  }

  private func control(
    _ operation: Int32, _ descriptor: Int32, _ key: Key, _ interest: Readiness
  ) throws(Errno) {
    var event = epoll_event(events: interest.rawValue, data: epoll_data_t(u64: key.packed))
    if epoll_ctl(epoll.number, operation, descriptor, &event) == -1 { throw .last("epoll_ctl") }
  }

  private func take(_ target: any PollTarget) -> Key {
    let slot: UInt32
    if let last = free.popLast() {
      slot = last
    } else {
      slot = UInt32(slots.count)
      slots.append(Slot())
    }
    slots[Int(slot)].target = target
    return Key(slot: slot, generation: slots[Int(slot)].generation)
  }

  private func release(_ key: Key) {
    slots[Int(key.slot)].target = nil
    slots[Int(key.slot)].generation &+= 1
    free.append(key.slot)
  }
}
