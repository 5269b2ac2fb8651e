/// A handle that ends work, an observation or a timer, and releases its resources.
///
/// Disposing is allowed from any thread, from inside an observer, and more than once. It does not wait: an event that
/// another thread is delivering may still arrive.
public protocol Disposable: AnyObject, Sendable {
  /// True once `dispose` was called, or there is nothing left to dispose of.
  var isDisposed: Bool { get }

  /// Ends the work.
  func dispose()
}
