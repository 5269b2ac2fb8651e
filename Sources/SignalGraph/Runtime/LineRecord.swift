import ReactiveCore

/// A record of several lines, as far as it has come.
struct LineRecord {
  /// The lines with line feeds between them; empty where there is none or too much.
  private(set) var bytes: [UInt8] = []
  private(set) var lines = 0
  /// Whether it has more lines or bytes than a record may have.
  private(set) var isTooLong = false

  var isEmpty: Bool { lines == 0 }

  mutating func append(_ line: ArraySlice<UInt8>, limit: Int) {
    if lines > 0 { bytes.append(UInt8(ascii: "\n")) }
    bytes += line
    lines += 1
    if lines > Multiline.maximumLines || bytes.count > limit { overflow() }
  }

  /// Takes a line that is itself too long.
  mutating func overflow() {
    lines = max(lines, 1)
    isTooLong = true
    bytes = []
  }

  /// The record as one line, and nothing more of it.
  mutating func take() -> LineCutter.Line? {
    defer { self = LineRecord() }
    if isEmpty { return nil }
    return isTooLong ? .tooLong : .whole(bytes[...])
  }
}

extension LineRecord: Storable {
  func store(in writer: inout StateWriter) {
    writer.blob(bytes)
    lines.store(in: &writer)
    isTooLong.store(in: &writer)
  }

  init(from reader: inout StateReader) throws(StateError) {
    self.init()
    bytes = Array(try reader.blob())
    lines = try Int(from: &reader)
    isTooLong = try Bool(from: &reader)
  }
}
