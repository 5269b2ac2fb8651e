/// The frames in a stream of bytes.
package struct RelayFrameReader {
  /// The stream contains something that is no frame.
  package struct Broken: Error {}

  private var bytes: [UInt8] = []
  private var start = 0

  package init() {}

  package mutating func append(_ more: [UInt8]) {
    if start == bytes.count {
      (bytes, start) = (more, 0)
    } else {
      bytes.removeFirst(start)
      bytes += more
      start = 0
    }
  }

  /// Returns the next frame; `nil` until all of it has been appended.
  package mutating func next() throws(Broken) -> RelayFrame? {
    guard bytes.count - start >= 4 else { return nil }
    let length = (0..<4).reversed().reduce(0) { $0 << 8 | Int(bytes[start + $1]) }
    guard length <= RelayFrame.longest else { throw Broken() }
    let end = start + 4 + length
    guard bytes.count >= end else { return nil }
    guard let frame = RelayFrame(bytes[(start + 4)..<end]) else { throw Broken() }
    start = end
    return frame
  }
}
