/// Signals by the bytes of their name: found in a line without a string being made of it.
///
/// Open addressing over a power of two, at most half full. Names are hashed with FNV-1a: whoever writes the
/// configuration is trusted not to make them collide, and clients only look names up.
struct ChannelTable {
  private var slots: [Channel?]

  init(_ channels: [Channel]) {
    var capacity = 16
    while capacity < 2 * channels.count { capacity *= 2 }
    slots = Array(repeating: nil, count: capacity)
    for channel in channels {
      var index = place(channel.name.utf8.reduce(Self.seed, Self.mix))
      while slots[index] != nil { index = next(index) }
      slots[index] = channel
    }
  }

  subscript(name: Span<UInt8>) -> Channel? {
    var hash = Self.seed
    for index in name.indices { hash = Self.mix(hash, name[index]) }
    var index = place(hash)
    while let channel = slots[index] {
      if channel.isNamed(name) { return channel }
      index = next(index)
    }
    return nil
  }

  private func place(_ hash: UInt64) -> Int { Int(truncatingIfNeeded: hash ^ hash >> 32) & (slots.count - 1) }

  private func next(_ index: Int) -> Int { (index + 1) & (slots.count - 1) }

  private static let seed: UInt64 = 0xcbf2_9ce4_8422_2325

  @inline(__always)
  private static func mix(_ hash: UInt64, _ byte: UInt8) -> UInt64 { (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
}
