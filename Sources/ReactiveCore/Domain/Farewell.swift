import CThread
import Synchronization

/// Tells when something has let go of all that it held, though no disposal waits for a delivery: what is disposed of
/// while another thread delivers there lets go when that thread has done.
final class Farewell: @unchecked Sendable {
  /// How much is awaited: a call of `leave` by the maker of this, and one for each that has entered.
  private let awaited = Atomic(1)
  private let whenOver: (Farewell) -> Void

  init(whenOver: @escaping (Farewell) -> Void) { self.whenOver = whenOver }

  /// Something more is awaited.
  func enter() { awaited.add(1, ordering: .relaxed) }

  /// Something that was awaited is over.
  func leave() {
    if awaited.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 { whenOver(self) }
  }

  /// Disposes of things, and awaits what that leaves to other threads.
  func carryOut(_ work: () -> Void) {
    enter()
    finish(work)
  }

  /// Leaves the disposal of something to the holder of its domain; the calling thread's farewell, if any, awaits that.
  static func queue(in domain: Domain, _ work: @escaping () -> Void) {
    guard let present = signalbox_present_farewell() else { return domain.queue(work) }
    let farewell = Unmanaged<Farewell>.fromOpaque(present).takeUnretainedValue()
    farewell.enter()
    domain.queue { farewell.finish(work) }
  }

  private func finish(_ work: () -> Void) {
    let before = signalbox_present_farewell()
    signalbox_set_farewell(Unmanaged.passUnretained(self).toOpaque())
    work()
    signalbox_set_farewell(before)
    leave()
  }
}
