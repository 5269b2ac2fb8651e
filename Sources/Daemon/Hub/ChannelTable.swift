/// A hash table from the bytes of a name to its channel, for lookups in a line without making a string.
///
/// Open addressing over a power of two, at most three quarters full. Names are hashed eight bytes at a time with a
/// multiplication: the author of the configuration is trusted not to make them collide, and clients only look names up.
struct ChannelTable {
  private struct Slot {
    var hash: UInt64 = 0
    var channel: Channel?
  }

  private var slots: [Slot]

  init(_ channels: [Channel]) {
    var capacity = 16
    while 3 * capacity < 4 * channels.count { capacity *= 2 }
    slots = Array(repeating: Slot(), count: capacity)
    for channel in channels {
      let name = Array(channel.name.utf8)
      let hash = Self.hash(name.span)
      var index = place(hash)
      while slots[index].channel != nil { index = next(index) }
      slots[index] = Slot(hash: hash, channel: channel)
    }
  }

  subscript(name: Span<UInt8>) -> Channel? {
    let hash = Self.hash(name)
    var index = place(hash)
    while slots[index].channel != nil {
      if slots[index].hash == hash, let channel = slots[index].channel, channel.isNamed(name) { return channel }
      index = next(index)
    }
    return nil
  }

  private func place(_ hash: UInt64) -> Int { Int(truncatingIfNeeded: hash) & (slots.count - 1) }

  private func next(_ index: Int) -> Int { (index + 1) & (slots.count - 1) }

  private static func hash(_ name: Span<UInt8>) -> UInt64 {
    name.withUnsafeBytes { bytes in
      var hash = UInt64(bytes.count)
      var place = 0
      while place + 8 <= bytes.count {
        hash = mix(hash, bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self))
        place += 8
      }
      var rest: UInt64 = 0
      while place < bytes.count {
        rest = rest << 8 | UInt64(bytes[place])
        place += 1
      }
      return mix(hash, rest)
    }
  }

  /// The multiplier is derived from the golden ratio; the upper bits of the product, which depend on all others, are
  /// folded into the lower half.
  @inline(__always)
  private static func mix(_ hash: UInt64, _ word: UInt64) -> UInt64 {
    let product = (hash ^ word) &* 0x9E37_79B9_7F4A_7C15
    return product ^ product >> 32
  }
}
