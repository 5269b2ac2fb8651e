import CSystemd
import Glibc

/// A bell that any thread may ring, for a loop that waits for it.
///
/// It is a pipe, since Swift's C library does not know `eventfd(2)`.
package final class Doorbell: Sendable {
  private let reading: OwnedDescriptor
  private let writing: OwnedDescriptor

  package init() throws(Errno) {
    var numbers: [Int32] = [-1, -1]
    if pipe2(&numbers, O_CLOEXEC | O_NONBLOCK) == -1 { throw .last("pipe2") }
    reading = OwnedDescriptor(owning: numbers[0])
    writing = OwnedDescriptor(owning: numbers[1])
  }

  /// The descriptor that is readable once it has been rung.
  package var number: Int32 { reading.number }

  /// Rings; a pipe that is full has been rung often enough.
  package func ring() {
    var byte: UInt8 = 1
    _ = write(writing.number, &byte, 1)
  }

  /// Hears all rings so far as one.
  package func hear() {
    var bytes: (UInt64, UInt64) = (0, 0)
    while read(number, &bytes, 16) == 16 {}
  }
}
