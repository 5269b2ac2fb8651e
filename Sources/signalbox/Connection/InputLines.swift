internal import Linux

/// The lines of standard input, one after the other; blank ones are passed over.
struct InputLines {
  private let input = Transfer(StandardStream.input.rawValue)
  private var bytes: [UInt8] = []
  private var start = 0
  private var isAtEnd = false

  /// The number of the last line, from 1.
  private(set) var number = 0

  /// The next line without its end; `nil` after the last.
  mutating func next() throws(CommandError) -> [UInt8]? {
    while let line = try nextOfAll() {
      number += 1
      if !line.allSatisfy({ $0 <= UInt8(ascii: " ") }) { return Array(line) }
    }
    return nil
  }

  private mutating func nextOfAll() throws(CommandError) -> ArraySlice<UInt8>? {
    var searched = start
    while true {
      if let end = bytes[searched...].firstIndex(of: UInt8(ascii: "\n")) {
        defer { start = end + 1 }
        return bytes[start..<end]
      }
      searched = bytes.count
      if isAtEnd {
        defer { start = bytes.count }
        return start < bytes.count ? bytes[start...] : nil
      }
      searched -= start
      bytes.removeSubrange(..<start)
      start = 0
      try readMore()
    }
  }

  private mutating func readMore() throws(CommandError) {
    do throws(Errno) {
      guard let chunk = try input.readChunk() else { return isAtEnd = true }
      if chunk.isEmpty { _ = try input.wait(for: .readable, timeout: nil) }
      bytes += chunk
    } catch {
      throw CommandError(.unreadable, "standard input: \(error.reason)")
    }
  }
}
