internal import Glibc

/// Received bytes, to be consumed line by line.
package struct LineBuffer: Sendable {
  private var bytes: [UInt8] = []
  private var start = 0
  /// The index up to which there is no end of line.
  private var searched = 0

  package init() {}

  package var isEmpty: Bool { start == bytes.count }

  /// The number of bytes that have not been consumed.
  package var count: Int { bytes.count - start }

  /// Adds a chunk, which is not copied unless a part of a line is left.
  package mutating func append(_ chunk: [UInt8]) {
    if isEmpty { return bytes = chunk }
    if start > 0 {
      bytes.removeSubrange(..<start)
      searched -= start
      start = 0
    }
    bytes += chunk
  }

  /// Takes the next line without its end; `nil` if it is incomplete.
  package mutating func next() -> ArraySlice<UInt8>? {
    guard let end = bytes[searched...].lineEnd else {
      searched = bytes.count
      return nil
    }
    defer { consume(upTo: end + 1) }
    return bytes[start..<end]
  }

  /// Takes the last line, which has no end; `nil` if there is none.
  package mutating func rest() -> ArraySlice<UInt8>? {
    if isEmpty { return nil }
    defer { consume(upTo: bytes.count) }
    return bytes[start...]
  }

  private mutating func consume(upTo end: Int) {
    (start, searched) = (end, end)
    // A chunk has space for more than one line, which an idle connection would keep.
    if isEmpty { self = LineBuffer() }
  }
}

extension ArraySlice<UInt8> {
  /// The index of the first end of line, found by the C library.
  fileprivate var lineEnd: Int? {
    withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress, let end = memchr(base, 0x0A, bytes.count) else { return nil }
      return startIndex + UnsafeRawPointer(base).distance(to: end)
    }
  }
}
