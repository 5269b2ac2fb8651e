extension UnsafeBufferPointer<UInt8> {
  /// True if they are a text in UTF-8.
  package var isUTF8: Bool {
    let raw = UnsafeRawBufferPointer(self)
    var place = 0
    // Most texts are ASCII; eight bytes of these are recognised at once.
    while place + 8 <= count, raw.loadUnaligned(fromByteOffset: place, as: UInt64.self) & 0x8080_8080_8080_8080 == 0 {
      place += 8
    }
    return (try? UTF8Span(validating: UnsafeBufferPointer(rebasing: self[place...]).span)) != nil
  }
}
