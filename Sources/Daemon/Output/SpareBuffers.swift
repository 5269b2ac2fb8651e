/// Buffers that one outbox has emptied and that serve the next one: clients that are idle hold none.
struct SpareBuffers {
  /// How many are kept at most.
  private static let most = 16
  /// One that is larger is not kept.
  private static let largest = 4 * CommittedBytes.most

  private var buffers: [[UInt8]] = []

  mutating func take() -> [UInt8] { buffers.popLast() ?? [] }

  mutating func giveBack(_ buffer: consuming [UInt8]) {
    if buffers.count >= Self.most || buffer.capacity > Self.largest { return }
    buffer.removeAll(keepingCapacity: true)
    buffers.append(buffer)
  }
}
