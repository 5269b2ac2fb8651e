import CThread
import Glibc
import Synchronization

extension Domain {
  /// The polls of a waiting thread before it sleeps: a few microseconds, longer than most deliveries.
  private static var spins: Int { 400 }

  /// The number of rests, a tenth of a millisecond each, of an arriving thread while the holder is overloaded.
  private static var rests: Int { 50 }

  /// Enters a busy domain: waits if the caller holds no domain, else refuses.
  @usableFromInline @inline(never) final func enterSlowly() -> Bool {
    if signalbox_held_count() > 0 { return tryEnter() }
    while !spinUntilEntered() { sleepUntilLeft() }
    return true
  }

  /// Takes the domain for a new observer, if that takes no more than a moment.
  ///
  /// The moment is a few microseconds, and up to some milliseconds while pending work keeps the holder from leaving: a
  /// flow of observers could otherwise keep it busy forever. After that the work is queued.
  @usableFromInline @inline(never) package final func enterOnArrival() -> Bool {
    if tryEnter() { return true }
    guard signalbox_held_count() == 0 else { return false }
    if spinUntilEntered() { return true }
    for _ in 0..<Domain.rests where word.load(ordering: .relaxed) & Domain.overloadBit != 0 {
      usleep(100)
      if tryEnter() { return true }
    }
    return false
  }

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
