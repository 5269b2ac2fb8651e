import Base
import GraphModel
package import Signals

/// Cuts bytes into lines, independent of the boundaries of reads.
///
/// A line ends with `\n` or `\r\n`. One that is too long is reported once and skipped up to its end without being
/// buffered.
package struct LineCutter {
  package enum Line: Equatable {
    /// The line without its end.
    case whole(ArraySlice<UInt8>)
    case tooLong
  }

  /// The treatment of the following bytes, up to the next line end.
  private enum Rest: UInt8, StateCodable {
    /// They belong to the buffered line.
    case kept
    /// They are skipped: the line is too long.
    case skipped
    /// They follow a line that was shown without its end; if only the end follows, it is skipped.
    case apart
  }

  /// The beginning of an unfinished line.
  private var kept: [UInt8] = []
  private var rest = Rest.kept

  package init() {}

  /// True if there is an unfinished line.
  var hasUnfinished: Bool { !kept.isEmpty }

  /// Appends bytes and shows each line that ends in them.
  ///
  /// - Parameter limit: The greatest number of bytes in a line, its end not counted.
  package mutating func append(_ bytes: [UInt8], limit: Int, _ body: (Line) -> Void) {
    var new = bytes[...]
    while let end = new.lineEnd {
      let line = kept.isEmpty ? new[..<end] : (kept + new[..<end])[...]
      new = new[(end + 1)...]
      kept = []
      let isOnlyAnEnd = rest == .apart && (line.isEmpty || line.elementsEqual([UInt8(ascii: "\r")]))
      if rest != .skipped, !isOnlyAnEnd { show(line, limit, body) }
      rest = .kept
    }
    if rest == .skipped { return }
    kept += new
    // One byte more may be the carriage return of the line end.
    guard kept.count > limit + 1 else { return }
    kept = []
    rest = .skipped
    body(.tooLong)
  }

  /// Shows the unfinished line so far; bytes before its end form a line of their own.
  mutating func showUnfinished(limit: Int, _ body: (Line) -> Void) {
    if kept.isEmpty { return }
    finish(limit: limit, body)
    rest = .apart
  }

  /// Shows the last line, which has no end; called at the end of the input.
  package mutating func finish(limit: Int, _ body: (Line) -> Void) {
    let line = kept
    discard()
    if !line.isEmpty { show(line[...], limit, body) }
  }

  /// Discards the unfinished line.
  package mutating func discard() {
    kept = []
    rest = .kept
  }

  private func show(_ line: ArraySlice<UInt8>, _ limit: Int, _ body: (Line) -> Void) {
    let line = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
    body(line.count > limit ? .tooLong : .whole(line))
  }
}

extension LineCutter: StateRecord {
  package init(_ field: inout StateCoder<Self>) throws(StateError) {
    kept = try field(\.kept)
    rest = try field(\.rest)
  }
}
