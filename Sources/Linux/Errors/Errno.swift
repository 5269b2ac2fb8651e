import CSystemd
import Glibc

/// A failed system call: its error number, its name and its subject.
///
/// The text has the form of `perror`: `bind /run/signalbox/signalbox.sock: Address already in use`.
package struct Errno: Error, Equatable, CustomStringConvertible {
  /// A number of `errno(3)`.
  package let number: Int32
  /// The name of the C function.
  package let call: String
  /// The path or object of the call, if that is helpful in messages.
  package let subject: String?

  package init(_ number: Int32, call: String, subject: String? = nil) {
    self.number = number
    self.call = call
    self.subject = subject
  }

  /// Returns the error of the call that has just returned -1.
  package static func last(_ call: String, _ subject: String? = nil) -> Errno {
    Errno(errno, call: call, subject: subject)
  }

  /// The meaning of the number, in the words of `strerror(3)`.
  package var reason: String {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 128) { buffer in
      guard let base = buffer.baseAddress, __xpg_strerror_r(number, base, buffer.count) == 0 else {
        return "error \(number)"
      }
      return String(cString: base)
    }
  }

  package var description: String {
    if let subject { "\(call) \(subject): \(reason)" } else { "\(call): \(reason)" }
  }
}

/// Repeats a call that a signal interrupts (EINTR).
@inline(__always)
func retryingInterrupts<Result: FixedWidthInteger & SignedInteger>(_ call: () -> Result) -> Result {
  while true {
    let result = call()
    if result != -1 || errno != EINTR { return result }
  }
}

extension Errno {
  /// True if the process or the system has reached its descriptor limit (EMFILE, ENFILE).
  package var isOutOfDescriptors: Bool { number == EMFILE || number == ENFILE }
  /// True if a permission is missing (EACCES, EPERM).
  package var isDenied: Bool { number == EACCES || number == EPERM }
}
