import Dispatch
import Synchronization

/// A scheduler on the main queue: it runs work at once if the caller is on the queue and no work is waiting, else in
/// its turn.
///
/// On Linux nothing serves the main queue by itself: the program's main thread must be in `dispatchMain()`, in an async
/// `main` or in Foundation's run loop. Work that blocks the main queue is not interrupted.
public final class UIScheduler: Scheduler, Sendable {
  private static let key: DispatchSpecificKey<Bool> = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
  }()

  /// True on the main queue, on any thread that serves it.
  static var isOnMainQueue: Bool { DispatchQueue.getSpecific(key: key) == true }

  private let countInLine = Atomic(0)

  /// A scheduler of the main queue, with an order of its own.
  public init() {}

  /// Runs `action` on the main queue; disposing of the result before that prevents it.
  @discardableResult public func schedule(_ action: @escaping () -> Void) -> (any Disposable)? {
    let isFirst = countInLine.wrappingAdd(1, ordering: .acquiringAndReleasing).newValue == 1
    if isFirst, UIScheduler.isOnMainQueue {
      action()
      countInLine.wrappingSubtract(1, ordering: .acquiringAndReleasing)
      return nil
    }
    let work = ScheduledWork(action)
    DispatchQueue.main.async {
      work.carryOut()
      self.countInLine.wrappingSubtract(1, ordering: .acquiringAndReleasing)
    }
    return work
  }
}
