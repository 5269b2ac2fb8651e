import CSystemd
import Glibc

/// A thread with one owner, who waits for its end.
///
/// Signals never run on it: they are for the loop, on the thread that the process began with.
package struct Thread: ~Copyable, Sendable {
  private let identifier: pthread_t

  /// Starts a thread; its name, of at most 15 bytes, is the one that `ps -L` and `top -H` show.
  package init(_ name: String, stack: Int = 512 << 10, _ body: @escaping @Sendable () -> Void) throws(Errno) {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setstacksize(&attributes, stack)
    // A thread inherits the mask of the one that starts it.
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

  /// Waits until it has ended; called on the thread itself it lets go of it instead.
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

  /// The thread names itself, so that it has its name from the first thing on that it does.
  func run() {
    pthread_setname_np(pthread_self(), name)
    body()
  }
}
