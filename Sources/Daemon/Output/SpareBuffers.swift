/// Empty buffers to be reused by other send buffers: idle clients hold none.
struct SpareBuffers {
  /// The most buffers to keep.
  private static let most = 16
  /// The largest capacity to keep, in bytes.
  private static let largest = 4 * WriteBuffer.most

  private var buffers: [[UInt8]] = []

  mutating func take() -> [UInt8] { buffers.popLast() ?? [] }

  mutating func giveBack(_ buffer: consuming [UInt8]) {
    if buffers.count >= Self.most || buffer.capacity > Self.largest { return }
    buffer.removeAll(keepingCapacity: true)
    buffers.append(buffer)
  }
}
