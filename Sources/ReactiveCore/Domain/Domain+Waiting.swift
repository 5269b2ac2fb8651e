import CThread
import Synchronization

extension Domain {
  /// How often a waiting thread looks again before it goes to sleep: a few microseconds, longer than most deliveries.
  private static var spins: Int { 400 }

  /// The way in when the domain is busy: waits if the caller holds no domain, else refuses.
  @usableFromInline @inline(never) final func enterSlowly() -> Bool {
    if signalbox_held_count() > 0 { return tryEnter() }
    while !spinUntilEntered() { sleepUntilLeft() }
    return true
  }

  /// Takes the domain if it becomes free within a few microseconds.
  final func enterSoon() -> Bool { signalbox_held_count() == 0 && spinUntilEntered() }

  private func spinUntilEntered() -> Bool {
    for _ in 0..<Domain.spins {
      if word.load(ordering: .relaxed) == 0, tryEnter() { return true }
      signalbox_pause()
    }
    return false
  }

  /// Sleeps until the present holder has left; may return early.
  private func sleepUntilLeft() {
    let key = Unmanaged.passUnretained(self).toOpaque()
    let ticket = signalbox_parking_ticket(key)
    let seen = word.load(ordering: .relaxed)
    guard seen != 0 else { return }
    let marked = word.compareExchange(expected: seen, desired: seen | Domain.waiterBit, ordering: .relaxed).exchanged
    if marked { signalbox_park(key, ticket) }
  }
}
