internal import Glibc

extension UnsafeBufferPointer<UInt8> {
  /// The index of the first end of line, found by the C library.
  package var lineEnd: Int? {
    guard let base = baseAddress, let end = memchr(base, 0x0A, count) else { return nil }
    return UnsafeRawPointer(base).distance(to: end)
  }
}

extension ArraySlice<UInt8> {
  /// The index of the first end of line, found by the C library.
  package var lineEnd: Int? { withUnsafeBufferPointer { $0.lineEnd }.map { startIndex + $0 } }
}
