import Glibc

/// A wakeup for an event loop, usable from any thread.
///
/// It is a pipe, since Swift's C library does not provide `eventfd(2)`.
package final class WakeupPipe: Sendable {
  private let reading: OwnedDescriptor
  private let writing: OwnedDescriptor

  package init() throws(Errno) {
    let pipe = try Pipe()
    try pipe.reader.setBlocking(false)
    try pipe.writer.setBlocking(false)
    reading = pipe.reader
    writing = pipe.writer
  }

  /// A descriptor that is readable after a wakeup.
  package var number: Int32 { reading.number }

  /// Signals the wakeup; a full pipe already has one pending.
  package func signal() {
    var byte: UInt8 = 1
    _ = write(writing.number, &byte, 1)
  }

  /// Drains all pending wakeups.
  package func drain() {
    var bytes: (UInt64, UInt64) = (0, 0)
    while read(number, &bytes, 16) == 16 {}
  }
}
