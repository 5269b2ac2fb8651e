import JSON
import SignalGraph

/// A number that stands for all that durable graphs have emitted so far, in its order.
///
/// It is written down with each commit. When the graphs are worked out again from what entered them, another number shows
/// that they went another way: by a fault, another version of the program, or damaged memory. It is no protection from
/// somebody who wants to deceive.
struct RollingHash: Equatable {
  private(set) var value: UInt64

  init(_ value: UInt64 = 0x9E37_79B9_7F4A_7C15) { self.value = value }

  /// A part of it, for a look at each entry.
  var digest: UInt8 { UInt8(truncatingIfNeeded: value >> 32) }

  /// Takes in an event of the signal that stands at a place of the configuration.
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
    case .raw(let raw): take(raw.bytes)
    case .value: take(payload.json)
    }
  }

  private mutating func take(_ text: String) { take(Array(text.utf8)) }

  private mutating func take(_ bytes: [UInt8]) {
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

  /// One round of a multiplying hash: both halves of the product are kept, so that no bit of what came before is lost.
  private mutating func mix(_ word: UInt64) {
    let (high, low) = (value ^ word).multipliedFullWidth(by: 0xD6E8_FEB8_6659_FD93)
    value = (high ^ low) &+ 0x9E37_79B9_7F4A_7C15
  }
}
