import Glibc

/// A pipe to the standard input of a program that stays, written without waiting for its reader.
package final class InputPipe {
  private let poller: Poller
  private let writer: OwnedDescriptor
  /// The reading side, until the program has it.
  private var reader: OwnedDescriptor?
  /// The number of the reading side, to be passed to the program.
  package let readerNumber: Int32
  private var unsent: ArraySlice<UInt8> = []
  /// Waits for room while the pipe is full.
  private var handler: PollHandler?
  /// Called when the program reads no more, though bytes wait for it.
  package var onFailure: () -> Void = {}

  package init(_ poller: Poller) throws(Errno) {
    let pipe = try Pipe()
    try pipe.writer.setBlocking(false)
    self.poller = poller
    readerNumber = pipe.reader.number
    let reader = pipe.reader
    self.reader = consume reader
    writer = pipe.writer
  }

  /// True if all bytes are in the pipe.
  package var isEmpty: Bool { unsent.isEmpty }

  /// Closes the reading side, which the program has by now.
  package func closeReader() { reader = nil }

  /// Forgets the bytes that wait.
  package func close() {
    unsent = []
    handler = nil
  }

  /// Writes bytes, now or once the program reads.
  ///
  /// - Returns: False if it reads no more.
  package func write(_ bytes: [UInt8]) -> Bool {
    unsent += bytes
    return flush()
  }

  private func flush() -> Bool {
    do throws(Errno) {
      while !unsent.isEmpty {
        guard case .bytes(let count) = try writeOnce() else {
          if handler == nil { try waitForRoom() }
          return true
        }
        unsent.removeFirst(count)
      }
      // An empty slice would keep the memory of the last line.
      close()
      return true
    } catch {
      close()
      return false
    }
  }

  private func waitForRoom() throws(Errno) {
    handler = try PollHandler(poller, writable: writer.number) { [unowned self] in
      if !flush() { onFailure() }
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
