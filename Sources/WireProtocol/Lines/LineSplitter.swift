/// Cuts the bytes of a client into lines, wherever reading happened to stop.
///
/// Whole lines are seen in the bytes in which they were read; only the last, unfinished one is kept. A line that is
/// too long is reported once and skipped up to its end without being kept. Blank lines and comments go unseen.
package struct LineSplitter {
  package enum Flow: Sendable {
    case next
    /// Take no more lines for now; the rest is kept for `resume`.
    case pause
    /// The same, and the line itself is kept too: it could not be carried out yet.
    case hold
  }

  /// Takes a line without its end; `nil` stands for one that is too long.
  package typealias Consumer = (borrowing Span<UInt8>?) -> Flow

  /// The most bytes that a line may have, its end not counted.
  package var limit: Int
  /// The bytes that have been read and not yet been seen; from `start` on.
  private var kept: [UInt8] = []
  private var start = 0
  private var isSkipping = false

  /// The beginning of a line whose end has not been read; `nil` between two lines.
  package private(set) var unfinishedSince: UInt64?

  package init(limit: Int) { self.limit = limit }

  /// The input of a client as it stands between two portions.
  package struct Remainder: Sendable {
    /// The bytes that have not been seen yet.
    package let bytes: [UInt8]
    /// Whether they belong to a line that is too long, of which that has been said.
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

  /// Goes on where another has stopped.
  package init(limit: Int, _ remainder: Remainder) {
    self.limit = limit
    kept = remainder.bytes
    isSkipping = remainder.isSkipping
    unfinishedSince = remainder.unfinishedSince
  }

  /// The number of bytes that are kept.
  package var count: Int { kept.count - start }

  /// Takes the bytes that were read and shows each whole line.
  ///
  /// - Parameter now: the time, by the clock that `unfinishedSince` is to be compared with.
  package mutating func append(_ chunk: Span<UInt8>, now: UInt64, _ consume: Consumer) -> Flow {
    chunk.withUnsafeBufferPointer { chunk in
      var rest = chunk[...]
      unfinishedSince = unfinished(rest, now)
      if count > 0 {
        // A line that is kept must be whole before it is seen.
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

  /// Goes on with the bytes that a pause left.
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

  /// Shows the last line, which has no end, if it counts; call this when nothing else is left.
  ///
  /// It counts if it begins with `{` or is shorthand other than `send`, where half a value may look like a whole one.
  ///
  /// - Returns: `hold` if it is to be shown again, else `next`.
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

  /// Takes whole lines off the bytes until a pause, or until an unfinished one is left.
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

  /// Shows a line unless there is nothing on it.
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

  /// Forgets the bytes that are kept, and gives their memory back.
  private mutating func discard() {
    kept = []
    start = 0
  }
}

extension Slice<UnsafeBufferPointer<UInt8>> {
  /// The place of the next end of line.
  fileprivate var lineEnd: Int? { UnsafeBufferPointer(rebasing: self).lineEnd.map { startIndex + $0 } }

  /// The line without the carriage return of an end of line in two bytes.
  fileprivate var withoutReturn: Self { last == UInt8(ascii: "\r") ? dropLast() : self }

  fileprivate func isLonger(than limit: Int) -> Bool { withoutReturn.count > limit }
}
