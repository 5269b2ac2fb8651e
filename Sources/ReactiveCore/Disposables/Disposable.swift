/// Something that can be ended, and whose resources are let go by that: work, an observation, a timer.
///
/// Disposing is allowed from any thread, from inside an observer, and more than once. It waits for nothing: one event
/// that another thread is just delivering may still come.
public protocol Disposable: AnyObject, Sendable {
  /// True once `dispose` was called, or there is nothing left to dispose of.
  var isDisposed: Bool { get }

  /// Ends it.
  func dispose()
}
