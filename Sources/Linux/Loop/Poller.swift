import CSystemd
import Glibc

/// The owner of a descriptor registered with a poller.
package protocol PollTarget: AnyObject {
  /// Handles readiness by one bounded piece of work, so that other descriptors are served too.
  func ready(_ readiness: Readiness)
}

/// An epoll set, which combines many descriptors into one that a loop can wait on.
///
/// Each iteration serves a batch. The kernel moves a descriptor that stays ready to the end of its list, so each ready
/// one is served before any is served twice, regardless of their number.
package final class Poller {
  /// The handle of a registered descriptor, for changing or removing it.
  package struct Key: Equatable, Sendable {
    fileprivate let slot: UInt32
    fileprivate let generation: UInt32

    fileprivate var packed: UInt64 { UInt64(generation) << 32 | UInt64(slot) }
  }

  private struct Slot {
    var target: (any PollTarget)?
    // An event fetched before its descriptor was removed must not reach the slot's next owner.
    var generation: UInt32 = 0
  }

  private let epoll: OwnedDescriptor
  private var slots: [Slot] = []
  private var free: [UInt32] = []
  private let batch: UnsafeMutableBufferPointer<epoll_event>

  /// - Parameter batchSize: The maximum number of descriptors served per iteration.
  package init(batchSize: Int = 256) throws(Errno) {
    let number = epoll_create1(Int32(EPOLL_CLOEXEC))
    if number == -1 { throw .last("epoll_create1") }
    epoll = OwnedDescriptor(owning: number)
    batch = .allocate(capacity: batchSize)
  }

  deinit {
    batch.deallocate()
  }

  /// Makes a loop wait on this poller and serve a batch of ready descriptors per iteration, until the returned object
  /// is released.
  /// - Parameter begin: Called before each batch.
  package func attach(to loop: EventLoop, begin: @escaping () -> Void = {}) throws(Errno) -> PollerAttachment {
    try PollerAttachment(self, loop, begin)
  }

  /// Registers a descriptor; the target is retained until removal.
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

  /// Changes the events of a registered descriptor.
  package func change(_ key: Key, _ descriptor: Int32, for interest: Readiness) throws(Errno) {
    try control(EPOLL_CTL_MOD, descriptor, key, interest)
  }

  /// Removes a descriptor; must be called before it is closed.
  package func remove(_ key: Key, _ descriptor: Int32) throws(Errno) {
    release(key)
    try control(EPOLL_CTL_DEL, descriptor, key, [])
  }

  /// Serves ready descriptors, at most one batch.
  /// - Parameters:
  ///   - timeout: The maximum wait if none is ready; `nil` for no limit.
  ///   - begin: Called before the first one.
  /// - Returns: The number of descriptors served.
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
    // The target is released last, since its release may remove others.
    let target = slots[Int(key.slot)].target.take()
    slots[Int(key.slot)].generation &+= 1
    free.append(key.slot)
    withExtendedLifetime(target) {}
  }
}
