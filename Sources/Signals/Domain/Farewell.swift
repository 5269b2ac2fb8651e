import CThread
import Synchronization

/// Reports when everything held has been released.
///
/// No disposal waits for a delivery, so an object that is disposed of while another thread delivers in its domain
/// releases its resources when that thread has finished.
package final class Farewell: @unchecked Sendable {
  /// The number of awaited calls of `leave`: one by the creator, and one for each `enter`.
  private let awaited = Atomic(1)
  private let whenOver: (Farewell) -> Void

  package init(whenOver: @escaping (Farewell) -> Void) { self.whenOver = whenOver }

  package func enter() { awaited.add(1, ordering: .relaxed) }

  package func leave() {
    if awaited.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 { whenOver(self) }
  }

  /// Runs disposals, and awaits those that they leave to other threads.
  package func carryOut(_ work: () -> Void) {
    enter()
    finish(work)
  }

  /// Leaves a disposal to the holder of its domain; the calling thread's farewell, if any, awaits it.
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
