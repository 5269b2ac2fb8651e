extension TimeZone {
  /// Parses a zone file from `/usr/share/zoneinfo` (TZif, RFC 9636); `nil` for an invalid one.
  package init?(file: [UInt8]) {
    var scanner = TimeZoneFileScanner(file)
    guard let header = scanner.header() else { return nil }
    guard header.version >= 2 else {
      guard let zone = scanner.zone(header, ofBytes: 4, rule: nil) else { return nil }
      self = zone
      return
    }
    // The first part is for readers of version 1: the data in 32 bits.
    scanner.skip(header.length(ofBytes: 4))
    guard let second = scanner.header() else { return nil }
    let body = scanner
    scanner.skip(second.length(ofBytes: 8))
    guard let footer = scanner.footer() else { return nil }
    let rule = footer.isEmpty ? nil : TimeZoneRule(footer)
    guard rule != nil || footer.isEmpty else { return nil }
    var rest = body
    guard let zone = rest.zone(second, ofBytes: 8, rule: rule) else { return nil }
    self = zone
  }
}

private struct TimeZoneFileHeader {
  let version: UInt8
  let utcMarks: Int
  let standardMarks: Int
  let leapSeconds: Int
  let transitions: Int
  let types: Int
  let characters: Int

  /// Returns the number of bytes that follow, for moments of `size` bytes.
  func length(ofBytes size: Int) -> Int {
    transitions * (size + 1) + types * 6 + characters + leapSeconds * (size + 4) + standardMarks + utcMarks
  }
}

private struct TimeZoneFileScanner {
  private let bytes: [UInt8]
  private var position = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  mutating func skip(_ count: Int) { position += count }

  private func has(_ count: Int) -> Bool { position <= bytes.count - count }

  /// Reads a big-endian number of `size` bytes.
  private mutating func number(_ size: Int) -> Int64? {
    guard has(size) else { return nil }
    defer { position += size }
    let bits = bytes[position..<position + size].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return size == 4 ? Int64(Int32(truncatingIfNeeded: bits)) : Int64(bitPattern: bits)
  }

  mutating func header() -> TimeZoneFileHeader? {
    guard has(44), bytes[position..<position + 4].elementsEqual("TZif".utf8) else { return nil }
    let version = bytes[position + 4]
    position += 20
    var counts: [Int] = []
    for _ in 0..<6 {
      // No zone has this many of anything; a larger number indicates another file.
      guard let count = number(4), 0...100_000 ~= count else { return nil }
      counts.append(Int(count))
    }
    return TimeZoneFileHeader(
      version: version > 0x30 ? version - 0x30 : 1, utcMarks: counts[0], standardMarks: counts[1],
      leapSeconds: counts[2], transitions: counts[3], types: counts[4], characters: counts[5])
  }

  mutating func zone(_ header: TimeZoneFileHeader, ofBytes size: Int, rule: TimeZoneRule?) -> TimeZone? {
    guard header.types > 0, has(header.length(ofBytes: size)) else { return nil }
    let transitions = (0..<header.transitions).compactMap { _ in number(size) }
    guard zip(transitions, transitions.dropFirst()).allSatisfy(<) else { return nil }
    let indices = bytes[position..<position + header.transitions].map(Int.init)
    position += header.transitions
    var (offsets, places): ([Int64], [Int]) = ([], [])
    for _ in 0..<header.types {
      guard let offset = number(4) else { return nil }
      offsets.append(offset)
      // An octet between them marks daylight saving time.
      places.append(Int(bytes[position + 1]))
      position += 2
    }
    let characters = bytes[position..<position + header.characters]
    let names = places.map { place in
      String(decoding: characters.dropFirst(place).prefix { $0 != 0 }, as: UTF8.self)
    }
    // RFC 9636: from -25 h to 26 h.
    guard indices.allSatisfy(offsets.indices.contains), offsets.allSatisfy({ -89_999...93_599 ~= $0 }) else {
      return nil
    }
    return TimeZone(
      transitions: transitions, offsets: indices.map { offsets[$0] }, names: indices.map { names[$0] },
      firstOffset: offsets[0], firstName: names[0], rule: rule)
  }

  /// Reads the line at the end.
  mutating func footer() -> ArraySlice<UInt8>? {
    guard has(2), bytes[position] == UInt8(ascii: "\n") else { return nil }
    let rest = bytes[(position + 1)...]
    guard let end = rest.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
    return rest[..<end]
  }
}
