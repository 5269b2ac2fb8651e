import Signals

/// Reads past values that a replay has no use for.
///
/// A look back skips most of the entries after a snapshot. It takes 450 instructions an entry with `StateDecoder`, and
/// 100 this way. Anything unusual is left to `EntryReader`.
struct ValueSkimmer {
  /// The end of the last skipped entry, and its time.
  private(set) var place: Int
  private(set) var time: EntryTime

  init(_ place: Int, after time: EntryTime) { (self.place, self.time) = (place, time) }

  /// Skips values for signals that are not wanted, up to the next other entry, or where the civil clock was set.
  ///
  /// - Returns: The number of skipped entries.
  mutating func skip(in bytes: borrowing Span<UInt8>, unless wanted: [Bool]) -> Int {
    var count = 0
    while let end = skipOne(in: bytes, unless: wanted) {
      place = end
      count += 1
    }
    return count
  }

  /// Returns the end of the next entry, if it is skipped.
  @inline(__always)
  private mutating func skipOne(in bytes: borrowing Span<UInt8>, unless wanted: [Bool]) -> Int? {
    var place = self.place
    guard let nanoseconds = Self.number(bytes, &place), let microseconds = Self.number(bytes, &place) else {
      return nil
    }
    let time = EntryTime(
      instant: Instant(nanoseconds: self.time.instant.nanoseconds &+ StateDecoder.signed(nanoseconds)),
      microseconds: self.time.microseconds &+ StateDecoder.signed(microseconds))
    guard time.isSteady(since: self.time), Self.take(Entry.valueMark, bytes, &place),
      let signal = Self.number(bytes, &place), signal < wanted.count, !wanted[Int(signal)]
    else { return nil }
    // The ID of the message, if any
    if !Self.take(0, bytes, &place), !(Self.take(1, bytes, &place) && Self.skipBlob(bytes, &place)) { return nil }
    // The text of the value, with or without its outline, and the digest of the effects
    guard Self.take(0, bytes, &place) else { return nil }
    place += 1
    guard Self.skipBlob(bytes, &place), place < bytes.count else { return nil }
    self.time = time
    return place + 1
  }

  @inline(__always)
  private static func take(_ byte: UInt8, _ bytes: borrowing Span<UInt8>, _ place: inout Int) -> Bool {
    guard place < bytes.count, bytes[place] == byte else { return false }
    place += 1
    return true
  }

  @inline(__always)
  private static func skipBlob(_ bytes: borrowing Span<UInt8>, _ place: inout Int) -> Bool {
    guard let count = number(bytes, &place), count <= UInt64(bytes.count - place) else { return false }
    place += Int(count)
    return true
  }

  /// Reads a number as `StateEncoder` writes it; `nil` past the end and beyond nine bytes.
  @inline(__always)
  private static func number(_ bytes: borrowing Span<UInt8>, _ place: inout Int) -> UInt64? {
    var number: UInt64 = 0
    var shift: UInt64 = 0
    while place < bytes.count, shift < 63 {
      let next = bytes[place]
      place += 1
      number |= UInt64(next & 0x7f) << shift
      if next < 0x80 { return number }
      shift += 7
    }
    return nil
  }
}
