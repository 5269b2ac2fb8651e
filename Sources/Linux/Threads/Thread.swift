import CSystemd
import Glibc

/// A thread with one owner, which joins it.
///
/// All signals are blocked on it: the loop handles them on the main thread.
package struct Thread: ~Copyable, Sendable {
  private let identifier: pthread_t

  /// Starts a thread; its name, at most 15 bytes, is shown by `ps -L` and `top -H`.
  package init(_ name: String, stack: Int = 512 << 10, _ body: @escaping @Sendable () -> Void) throws(Errno) {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setstacksize(&attributes, stack)
    // A thread inherits the signal mask of its creator.
    var all = sigset_t()
    var previous = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_SETMASK, &all, &previous)
    defer { pthread_sigmask(SIG_SETMASK, &previous, nil) }
    let work = Unmanaged.passRetained(Work(name, body))
    var identifier = pthread_t()
    let number = pthread_create(
      &identifier, &attributes,
      { argument in
        if let argument { Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().run() }
        return nil
      }, work.toOpaque())
    if number != 0 {
      work.release()
      throw Errno(number, call: "pthread_create")
    }
    self.identifier = identifier
  }

  deinit {
    pthread_detach(identifier)
  }

  /// Waits until the thread has ended; on the thread itself, detaches it instead.
  package consuming func join() {
    let identifier = identifier
    discard self
    if pthread_equal(identifier, pthread_self()) != 0 {
      pthread_detach(identifier)
    } else {
      pthread_join(identifier, nil)
    }
  }
}

private final class Work {
  private let name: String
  private let body: @Sendable () -> Void

  init(_ name: String, _ body: @escaping @Sendable () -> Void) {
    self.name = name
    self.body = body
  }

  /// Runs on the new thread, so that it is named before its work begins.
  func run() {
    pthread_setname_np(pthread_self(), name)
    body()
  }
}
