import CThread
import Synchronization

/// A gate that threads wait for until it is opened, once.
final class Latch: Sendable {
  private let isOpen = Atomic(false)

  private var key: UnsafeRawPointer { UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque()) }

  func open() {
    isOpen.store(true, ordering: .releasing)
    signalbox_unpark(key)
  }

  func wait() {
    while true {
      let ticket = signalbox_parking_ticket(key)
      if isOpen.load(ordering: .acquiring) { return }
      signalbox_park(key, ticket)
    }
  }
}

/// Traps if the calling thread is inside a delivery: it holds a domain that other threads may need in order to send.
func refuseInsideDelivery(_ call: StaticString) {
  precondition(
    signalbox_held_count() == 0, "\(call) waits, and must not be called from inside a delivery: observe instead")
}
