/// Encoded bytes that several queues share.
final class SharedBytes {
  let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }
}

/// The bytes that were shared last, since the next slow client usually needs the same.
struct LastShared {
  private var last: SharedBytes?
  private var range = 0..<0

  mutating func bytes(_ range: Range<Int>, of bytes: [UInt8]) -> SharedBytes {
    if let last, self.range == range { return last }
    // An array made from a slice that covers all of another one shares that one's storage, with all its capacity.
    let shared = SharedBytes(bytes[range].withUnsafeBufferPointer { [UInt8]($0) })
    (last, self.range) = (shared, range)
    return shared
  }
}
