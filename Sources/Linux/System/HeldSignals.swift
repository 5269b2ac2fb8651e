import CSystemd
import Glibc

/// Signals that would end this program, held until it has undone what it has begun.
package struct HeldSignals {
  private let numbers: [Int32]

  package init(_ numbers: [Int32]) {
    self.numbers = numbers
    for number in numbers { CurrentProcess.hold(signal: number) }
  }

  /// True once one of them has arrived.
  package var haveArrived: Bool {
    var pending = sigset_t()
    sigpending(&pending)
    return numbers.contains { sigismember(&pending, $0) == 1 }
  }

  /// Holds them no longer: one that has arrived ends the program here.
  package func release() {
    var mask = sigset_t()
    sigemptyset(&mask)
    for number in numbers { sigaddset(&mask, number) }
    pthread_sigmask(SIG_UNBLOCK, &mask, nil)
  }
}
