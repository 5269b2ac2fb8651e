import GraphModel
import Signals

/// A record of several lines, possibly incomplete.
struct LineRecord {
  /// The lines with line feeds between them; empty if there are no lines or too many.
  private(set) var bytes: [UInt8] = []
  private(set) var lines = 0
  /// True if it exceeds the limit of lines or bytes.
  private(set) var isTooLong = false

  init() {}

  var isEmpty: Bool { lines == 0 }

  mutating func append(_ line: ArraySlice<UInt8>, limit: Int) {
    if lines > 0 { bytes.append(UInt8(ascii: "\n")) }
    bytes += line
    lines += 1
    if lines > Multiline.maximumLines || bytes.count > limit { overflow() }
  }

  /// Adds a line that is itself too long.
  mutating func overflow() {
    lines = max(lines, 1)
    isTooLong = true
    bytes = []
  }

  /// Returns the record as one line, and clears it.
  mutating func take() -> LineCutter.Line? {
    defer { self = LineRecord() }
    if isEmpty { return nil }
    return isTooLong ? .tooLong : .whole(bytes[...])
  }
}

extension LineRecord: StateRecord {
  init(_ field: inout StateCoder<Self>) throws(StateError) {
    bytes = try field(\.bytes)
    lines = try field(\.lines)
    isTooLong = try field(\.isTooLong)
  }
}
