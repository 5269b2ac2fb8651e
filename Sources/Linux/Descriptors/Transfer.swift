import Glibc

/// The result of one `read(2)`.
package enum ReadResult: Equatable, Sendable {
  case bytes(Int)
  /// The peer has shut down its writing side, or the end of the file is reached.
  case end
  /// No data is available; wait until the descriptor is readable.
  case wouldBlock
}

/// The result of one `write(2)`.
package enum WriteResult: Equatable, Sendable {
  case bytes(Int)
  /// No space is available; wait until the descriptor is writable.
  case wouldBlock
}

/// Reads and writes a borrowed descriptor.
package struct Transfer: Sendable {
  let number: Int32

  package init(_ number: Int32) { self.number = number }

  /// Reads once into a non-empty buffer (`read(2)`).
  package func read(into buffer: UnsafeMutableRawBufferPointer) throws(Errno) -> ReadResult {
    let count = retryingInterrupts { Glibc.read(number, buffer.baseAddress, buffer.count) }
    if count > 0 { return .bytes(count) }
    if count == 0 { return .end }
    if errno == EAGAIN { return .wouldBlock }
    throw .last("read")
  }

  /// Writes once (`write(2)`); for sockets use `send`, which raises no SIGPIPE.
  package func write(_ bytes: UnsafeRawBufferPointer) throws(Errno) -> WriteResult {
    let count = retryingInterrupts { Glibc.write(number, bytes.baseAddress, bytes.count) }
    return try Self.taken(count, "write")
  }

  /// Writes once to a socket (`send(2)` with `MSG_NOSIGNAL`).
  package func send(_ bytes: UnsafeRawBufferPointer) throws(Errno) -> WriteResult {
    let flags = Int32(MSG_NOSIGNAL)
    let count = retryingInterrupts { Glibc.send(number, bytes.baseAddress, bytes.count, flags) }
    return try Self.taken(count, "send")
  }

  /// Writes all bytes, waiting for space, to a blocking or non-blocking descriptor.
  package func writeAll(_ bytes: UnsafeRawBufferPointer) throws(Errno) {
    var rest = bytes[...]
    while !rest.isEmpty {
      switch try write(UnsafeRawBufferPointer(rebasing: rest)) {
      case .bytes(let count): rest = rest.dropFirst(count)
      case .wouldBlock: _ = try wait(for: .writable, timeout: nil)
      }
    }
  }

  /// Writes all bytes of an array; see `writeAll(_:)`.
  package func writeAll(_ bytes: [UInt8]) throws(Errno) {
    let result: Result<Void, Errno> = bytes.withUnsafeBytes { bytes in
      do throws(Errno) { return .success(try writeAll(bytes)) } catch { return .failure(error) }
    }
    try result.get()
  }

  /// Reads once, at most `room` bytes; `nil` if no data is available, empty at the end.
  package func read(upTo room: Int) throws(Errno) -> [UInt8]? {
    var result: Result<ReadResult, Errno> = .success(.end)
    let bytes = [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
      do throws(Errno) {
        let read = try read(into: UnsafeMutableRawBufferPointer(buffer))
        if case .bytes(let number) = read { count = number }
        result = .success(read)
      } catch {
        result = .failure(error)
      }
    }
    return try result.get() == .wouldBlock ? nil : bytes
  }

  /// Writes all bytes of a text; see `writeAll(_:)`.
  package func writeAll(_ text: String) throws(Errno) {
    var text = text
    let result: Result<Void, Errno> = text.withUTF8 { bytes in
      do throws(Errno) { return .success(try writeAll(UnsafeRawBufferPointer(bytes))) } catch { return .failure(error) }
    }
    try result.get()
  }

  /// Waits until the descriptor is ready or the peer has hung up (`poll(2)`); without a time limit if `nil`.
  /// - Returns: The readiness; empty after a timeout.
  package func wait(for readiness: Readiness, timeout: Duration?) throws(Errno) -> Readiness {
    var entry = pollfd(fd: number, events: Int16(truncatingIfNeeded: readiness.rawValue), revents: 0)
    let count = retryingInterrupts { poll(&entry, 1, timeout.map { Int32(clamping: $0.milliseconds) } ?? -1) }
    if count == -1 { throw .last("poll") }
    return Readiness(rawValue: UInt32(UInt16(bitPattern: entry.revents)))
  }

  private static func taken(_ count: Int, _ call: String) throws(Errno) -> WriteResult {
    if count >= 0 { return .bytes(count) }
    if errno == EAGAIN { return .wouldBlock }
    throw .last(call)
  }
}

extension OwnedDescriptor {
  /// A borrowed view for reading and writing.
  package var transfer: Transfer { Transfer(number) }
}

extension Duration {
  /// Whole milliseconds, rounded up, so that a wait never ends early.
  package var milliseconds: Int64 {
    let (seconds, attoseconds) = components
    let bounded = max(-Self.mostSeconds, min(seconds, Self.mostSeconds))
    return bounded * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
  }

  /// The maximum duration in seconds that is countable in milliseconds.
  private static let mostSeconds = Int64.max / 1001

  /// Whole nanoseconds, saturating at 292 years.
  package var nanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, carry) = whole.addingReportingOverflow(attoseconds / 1_000_000_000)
    return overflow || carry ? (seconds < 0 ? .min : .max) : sum
  }
}
