import GraphModel
import JSON

/// A hash of all events of durable graphs so far, in order.
///
/// It is stored with each commit. A different value after replay reveals a divergence: by a bug, another version of the
/// program, or corrupt memory. It does not protect against deliberate manipulation.
struct RollingHash: Equatable {
  private(set) var value: UInt64

  init(_ value: UInt64 = 0x9E37_79B9_7F4A_7C15) { self.value = value }

  /// A byte of the hash, stored with each entry.
  var digest: UInt8 { UInt8(truncatingIfNeeded: value >> 32) }

  /// Adds an event of the signal at an index of the configuration.
  mutating func take(_ event: SignalEvent, of place: UInt32) {
    mix(UInt64(place))
    switch event {
    case .next(let payload, let sequence):
      mix(sequence)
      take(payload)
    case .ended(let ending):
      mix(.max)
      take(ending.event)
      if case .failed(let failure) = ending {
        take(failure.code)
        take(failure.message)
      }
    }
  }

  private mutating func take(_ payload: Payload) {
    switch payload {
    case .raw(let raw): raw.withSpan { take($0) }
    case .value: take(payload.json.span)
    }
  }

  private mutating func take(_ text: String) { take(text.utf8.span) }

  private mutating func take(_ bytes: Span<UInt8>) {
    mix(UInt64(bytes.count))
    bytes.withUnsafeBytes { bytes in
      var place = 0
      while place + 8 <= bytes.count {
        mix(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)))
        place += 8
      }
      var rest: UInt64 = 0
      for byte in bytes[place...] { rest = rest << 8 | UInt64(byte) }
      mix(rest)
    }
  }

  /// Performs one round of a multiplicative hash; combining both halves of the product loses no bit of the earlier
  /// state.
  private mutating func mix(_ word: UInt64) {
    let (high, low) = (value ^ word).multipliedFullWidth(by: 0xD6E8_FEB8_6659_FD93)
    value = (high ^ low) &+ 0x9E37_79B9_7F4A_7C15
  }
}
