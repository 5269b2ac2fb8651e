import CSystemd
import Glibc

/// A pipe to the standard input of a program that stays, written without waiting for its reader.
package final class InputPipe: PollTarget {
  private let poller: Poller
  private let writer: OwnedDescriptor
  /// The reading side, until the program has it.
  private var reader: OwnedDescriptor?
  /// The number of the reading side, to be passed to the program.
  package let readerNumber: Int32
  private var unsent: ArraySlice<UInt8> = []
  /// Its key in the poller, while the pipe is full.
  private var key: Poller.Key?

  package init(_ poller: Poller) throws(Errno) {
    var numbers: [Int32] = [-1, -1]
    if pipe2(&numbers, O_CLOEXEC) == -1 { throw .last("pipe2") }
    let reader = OwnedDescriptor(owning: numbers[0])
    let writer = OwnedDescriptor(owning: numbers[1])
    try writer.setBlocking(false)
    self.poller = poller
    readerNumber = numbers[0]
    self.reader = consume reader
    self.writer = writer
  }

  deinit {
    if let key { try? poller.remove(key, writer.number) }
  }

  /// Closes the reading side, which the program has by now.
  package func closeReader() { reader = nil }

  /// Writes bytes, now or once the program reads.
  ///
  /// - Returns: False if there is no reader any more, and none of them was written.
  package func write(_ bytes: [UInt8]) -> Bool {
    unsent += bytes
    do throws(Errno) {
      try flush()
      return true
    } catch {
      let isUnseen = unsent.count == bytes.count
      unsent = []
      return !isUnseen
    }
  }

  package func ready(_ readiness: Readiness) {
    // The end of a program that reads no more is reported by itself.
    do throws(Errno) { try flush() } catch { unsent = [] }
    if unsent.isEmpty, let key = key.take() { try? poller.remove(key, writer.number) }
  }

  private func flush() throws(Errno) {
    while !unsent.isEmpty {
      guard case .bytes(let count) = try writeOnce() else {
        if key == nil { key = try poller.add(writer.number, self, for: .writable) }
        return
      }
      unsent.removeFirst(count)
    }
  }

  private func writeOnce() throws(Errno) -> WriteResult {
    let transfer = writer.transfer
    let result: Result<WriteResult, Errno> = unsent.withUnsafeBytes { bytes in
      do throws(Errno) { return .success(try transfer.write(bytes)) } catch { return .failure(error) }
    }
    return try result.get()
  }
}
