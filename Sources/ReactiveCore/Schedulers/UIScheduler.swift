import Dispatch
import Synchronization

/// Carries work out on the main queue: at once if the caller is on it and nothing is in line, else when its turn comes.
///
/// On Linux nothing serves the main queue by itself: the program's main thread must be in `dispatchMain()`, in an async
/// `main` or in Foundation's run loop. Work that holds up the main queue is not broken off.
public final class UIScheduler: Scheduler, Sendable {
  private static let key: DispatchSpecificKey<Bool> = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
  }()

  /// True on the main queue, whichever thread serves it.
  static var isOnMainQueue: Bool { DispatchQueue.getSpecific(key: key) == true }

  private let countInLine = Atomic(0)

  /// A scheduler of the main queue, with a line of its own.
  public init() {}

  /// Carries `action` out on the main queue; disposing of the result before that prevents it.
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
