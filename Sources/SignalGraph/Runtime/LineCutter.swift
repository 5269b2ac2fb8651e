package import ReactiveCore

/// Cuts bytes into lines, wherever reading happened to stop.
///
/// A line ends with `\n` or `\r\n`. One that is too long is told once and skipped up to its end without being kept.
package struct LineCutter {
  package enum Line: Equatable {
    /// Without its end.
    case whole(ArraySlice<UInt8>)
    case tooLong
  }

  /// The beginning of a line whose end has not come.
  private var kept: [UInt8] = []
  private var isSkipping = false

  package init() {}

  /// Takes what was read and shows each line that ends in it.
  ///
  /// - Parameter limit: How many bytes a line may have, its end not counted.
  package mutating func append(_ bytes: [UInt8], limit: Int, _ body: (Line) -> Void) {
    var rest = bytes[...]
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      let piece = rest[..<end]
      rest = rest[(end + 1)...]
      if isSkipping {
        isSkipping = false
      } else if kept.isEmpty {
        show(piece, limit, body)
      } else {
        let line = kept + piece
        kept = []
        show(line[...], limit, body)
      }
    }
    if isSkipping { return }
    kept += rest
    // One byte more may be the carriage return of the line's end.
    guard kept.count > limit + 1 else { return }
    kept = []
    isSkipping = true
    body(.tooLong)
  }

  /// Shows the last line, which has no end; to be called when nothing else comes.
  package mutating func finish(limit: Int, _ body: (Line) -> Void) {
    let line = kept
    discard()
    if !line.isEmpty { show(line[...], limit, body) }
  }

  /// Forgets the unfinished line.
  package mutating func discard() {
    kept = []
    isSkipping = false
  }

  private func show(_ line: ArraySlice<UInt8>, _ limit: Int, _ body: (Line) -> Void) {
    let line = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
    body(line.count > limit ? .tooLong : .whole(line))
  }
}

extension LineCutter: Storable {
  package func store(in writer: inout StateWriter) {
    writer.blob(kept)
    isSkipping.store(in: &writer)
  }

  package init(from reader: inout StateReader) throws(StateError) {
    self.init()
    kept = Array(try reader.blob())
    isSkipping = try Bool(from: &reader)
  }
}
