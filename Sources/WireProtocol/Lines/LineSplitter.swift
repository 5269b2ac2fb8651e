internal import Base

/// Splits the bytes of a client into lines, independent of the boundaries of reads.
///
/// Whole lines are passed on in the bytes in which they were read; only the last, unfinished one is stored. A line that
/// is too long is reported once and skipped up to its end without being stored. Blank lines and comments are ignored.
package struct LineSplitter {
  package enum Flow: Sendable {
    case next
    /// Stop here; the rest is stored for `resume`.
    case pause
    /// Stop here and store this line, too: it cannot be handled yet.
    case hold
  }

  /// Receives a line without its end; `nil` represents one that is too long.
  package typealias Consumer = (borrowing Span<UInt8>?) -> Flow

  /// The longest line in bytes, without its end.
  package var limit: Int
  /// The bytes that have been read and not been consumed yet, from `start` on.
  private var kept: [UInt8] = []
  private var start = 0
  private var isSkipping = false

  /// The time at which an unfinished line began; `nil` between two lines.
  package private(set) var unfinishedSince: UInt64?

  package init(limit: Int) { self.limit = limit }

  /// The input of a client between two reads.
  package struct Remainder: Sendable {
    /// The bytes that have not been consumed yet.
    package let bytes: [UInt8]
    /// True if they belong to a line that is too long and has been reported.
    package let isSkipping: Bool
    package let unfinishedSince: UInt64?

    package init(bytes: [UInt8], isSkipping: Bool, unfinishedSince: UInt64?) {
      self.bytes = bytes
      self.isSkipping = isSkipping
      self.unfinishedSince = unfinishedSince
    }
  }

  package var remainder: Remainder {
    Remainder(bytes: Array(kept[start...]), isSkipping: isSkipping, unfinishedSince: unfinishedSince)
  }

  /// Resumes with the remainder of another splitter.
  package init(limit: Int, _ remainder: Remainder) {
    self.limit = limit
    kept = remainder.bytes
    isSkipping = remainder.isSkipping
    unfinishedSince = remainder.unfinishedSince
  }

  /// The number of stored bytes.
  package var count: Int { kept.count - start }

  /// Consumes bytes that were read, and passes each whole line on.
  ///
  /// - Parameter now: The time, by the clock to compare `unfinishedSince` with.
  package mutating func append(_ chunk: Span<UInt8>, now: UInt64, _ consume: Consumer) -> Flow {
    chunk.withUnsafeBufferPointer { chunk in
      var rest = chunk[...]
      unfinishedSince = unfinished(rest, now)
      if count > 0 {
        // A stored line must be complete before it is passed on.
        let piece = rest.lineEnd.map { rest[...$0] } ?? rest
        keep(piece)
        rest = rest[piece.endIndex...]
        let flow = resume(consume)
        if flow != .next {
          keep(rest)
          return flow
        }
      }
      let flow = take(&rest, consume)
      keep(rest)
      return flow
    }
  }

  /// Resumes with the bytes stored at a pause.
  package mutating func resume(_ consume: Consumer) -> Flow {
    let bytes = kept
    return bytes.withUnsafeBufferPointer { bytes in
      var rest = bytes[start...]
      let flow = take(&rest, consume)
      start = rest.startIndex
      if rest.isEmpty { discard() }
      return flow
    }
  }

  /// Passes on the last line, which has no end, if it counts; to be called when nothing else is left.
  ///
  /// It counts if it begins with `{` or is shorthand other than `send`, where half a value may look like a whole one.
  ///
  /// - Returns: `hold` if the line must be passed on again, otherwise `next`.
  package mutating func finish(_ consume: Consumer) -> Flow {
    unfinishedSince = nil
    let bytes = kept
    let flow = bytes.withUnsafeBufferPointer { bytes in
      let word = bytes[start...].drop { $0.isSpace }.prefix { !$0.isSpace }
      return word.elementsEqual("send".utf8) ? .next : show(bytes[start...], to: consume)
    }
    if flow == .hold { return .hold }
    discard()
    return .next
  }

  /// Consumes whole lines until a pause, or until an unfinished one is left.
  private mutating func take(_ rest: inout Slice<UnsafeBufferPointer<UInt8>>, _ consume: Consumer) -> Flow {
    while let end = rest.lineEnd {
      let line = rest[..<end]
      let flow = isSkipping ? .next : show(line, to: consume)
      if case .hold = flow { return .hold }
      isSkipping = false
      rest = rest[(end + 1)...]
      if case .pause = flow { return .pause }
    }
    let isReported = isSkipping
    isSkipping = isSkipping || rest.isLonger(than: limit)
    if isSkipping { rest = rest[rest.endIndex...] }
    return isSkipping && !isReported ? consume(nil) : .next
  }

  /// Passes a line on unless it is blank or a comment.
  private func show(_ line: Slice<UnsafeBufferPointer<UInt8>>, to consume: Consumer) -> Flow {
    if line.isLonger(than: limit) { return consume(nil) }
    guard let first = line.first(where: { !$0.isSpace }), first != UInt8(ascii: "#") else { return .next }
    return consume(UnsafeBufferPointer(rebasing: line.withoutReturn).span)
  }

  private func unfinished(_ chunk: Slice<UnsafeBufferPointer<UInt8>>, _ now: UInt64) -> UInt64? {
    if chunk.last == UInt8(ascii: "\n") { return nil }
    return chunk.lineEnd == nil ? unfinishedSince ?? (chunk.isEmpty ? nil : now) : now
  }

  private mutating func keep(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) {
    if start > 0 {
      kept.removeSubrange(..<start)
      start = 0
    }
    kept.append(contentsOf: bytes)
  }

  /// Discards the stored bytes and releases their memory.
  private mutating func discard() {
    kept = []
    start = 0
  }
}

extension Slice<UnsafeBufferPointer<UInt8>> {
  /// The index of the next end of line.
  fileprivate var lineEnd: Int? { UnsafeBufferPointer(rebasing: self).lineEnd.map { startIndex + $0 } }

  /// The line without the carriage return of a two-byte end of line.
  fileprivate var withoutReturn: Self { last == UInt8(ascii: "\r") ? dropLast() : self }

  fileprivate func isLonger(than limit: Int) -> Bool { withoutReturn.count > limit }
}
