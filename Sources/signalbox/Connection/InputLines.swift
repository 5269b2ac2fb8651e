internal import ClientCore
internal import Linux

/// The lines of standard input; blank ones are skipped.
struct InputLines {
  private let input = Transfer(StandardStream.input.rawValue)
  private var buffer = LineBuffer()
  private var isAtEnd = false

  /// The number of the last line, starting at 1.
  private(set) var number = 0

  /// Returns the next line without its end; `nil` after the last.
  mutating func next() throws(CommandError) -> ArraySlice<UInt8>? {
    while let line = try nextOfAll() {
      number += 1
      if !line.allSatisfy({ $0 <= UInt8(ascii: " ") }) { return line }
    }
    return nil
  }

  private mutating func nextOfAll() throws(CommandError) -> ArraySlice<UInt8>? {
    while true {
      if let line = buffer.next() { return line }
      if isAtEnd { return buffer.rest() }
      try readMore()
    }
  }

  private mutating func readMore() throws(CommandError) {
    do throws(Errno) {
      guard let chunk = try input.read(upTo: 64 << 10) else {
        _ = try input.wait(for: .readable, timeout: nil)
        return
      }
      isAtEnd = chunk.isEmpty
      buffer.append(chunk)
    } catch {
      throw CommandError(.unreadable, "standard input: \(error.reason)")
    }
  }
}
