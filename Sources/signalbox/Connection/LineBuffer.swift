/// A buffer of input to be consumed line by line.
struct LineBuffer {
  private var bytes: [UInt8] = []
  private var start = 0
  /// The index up to which there is no end of line.
  private var searched = 0

  var isEmpty: Bool { start == bytes.count }

  mutating func append(_ chunk: [UInt8]) {
    bytes.removeSubrange(..<start)
    searched -= start
    start = 0
    bytes += chunk
  }

  /// Takes the next line without its end; `nil` if it is incomplete.
  mutating func next() -> ArraySlice<UInt8>? {
    guard let end = bytes[searched...].firstIndex(of: UInt8(ascii: "\n")) else {
      searched = bytes.count
      return nil
    }
    defer { (start, searched) = (end + 1, end + 1) }
    return bytes[start..<end]
  }

  /// Takes the last line, which has no end; `nil` if there is none.
  mutating func rest() -> ArraySlice<UInt8>? {
    defer { (start, searched) = (bytes.count, bytes.count) }
    return start < bytes.count ? bytes[start...] : nil
  }
}
