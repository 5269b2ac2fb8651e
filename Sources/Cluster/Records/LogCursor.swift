internal import StateLog

/// The place between two records of a log, with everything that decides which record may follow.
package struct LogCursor: Equatable, Sendable {
  /// The sequence of the next record.
  package private(set) var next: UInt64 = 1
  /// The sequence of the last opening.
  package private(set) var term: UInt64 = 0
  /// The process that wrote the last opening; `nil` behind a snapshot of its term.
  package private(set) var boot: String?
  /// The number of the last complete commit.
  package private(set) var number: UInt64 = 0
  /// The chain of all records before this place.
  package private(set) var chain: UInt64 = 0
  /// The identity of the log's history; empty before its first record.
  package private(set) var epoch = ""
  /// The last record that carries the chain of those before it, so that its bytes stand for all of them.
  private(set) var anchor: Anchor?
  /// The commit whose first parts were read.
  private var unfinished: CommitAssembly?

  struct Anchor: Equatable {
    let sequence: UInt64
    let checksum: UInt64
  }

  /// The beginning of a log.
  package init() {}

  /// The place behind the last record that a snapshot includes.
  ///
  /// - Parameter term: The term of the marker: an owner takes a snapshot of its own term only.
  init(behind marker: SnapshotMarker, term: UInt64) {
    next = marker.sequence + 1
    number = marker.number
    chain = marker.chain
    epoch = marker.epoch
    self.term = term
  }

  /// The sequence of the last record.
  package var last: UInt64 { next - 1 }

  /// Moves behind the next record.
  ///
  /// - Returns: The meaning of the record; `nil` for a part of a commit that others follow.
  package mutating func take(_ message: StoredMessage) throws(LogDamage) -> LogEvent? {
    guard message.sequence == next else {
      throw damage("expected sequence \(next), found \(message.sequence)")
    }
    let record: LogRecord
    do throws(RecordDamage) { record = try LogRecord(message.bytes) } catch { throw damage("\(error)") }
    let event = try take(record)
    let checksum = RecordBytes.checksum(of: message.bytes)
    if case .open = record.content {} else { anchor = Anchor(sequence: next, checksum: checksum) }
    next += 1
    var chained = Checksum()
    chained.add(chain)
    chained.add(checksum)
    chain = chained.bits
    return event
  }

  private mutating func take(_ record: LogRecord) throws(LogDamage) -> LogEvent? {
    if case .open(let open) = record.content {
      guard record.term == next else { throw damage("expected an opening of term \(next), found \(record.term)") }
      // The owner before may have been replaced between two parts of a commit.
      unfinished = nil
      term = next
      boot = open.boot
      if epoch.isEmpty || open.reason == .repair { epoch = open.boot }
      return .opened(open)
    }
    guard record.term == term, term > 0 else { throw damage("expected a record of term \(term), found \(record.term)") }
    guard record.chain == chain else {
      throw damage(
        "expected the chain \(chain.hexadecimal) of the records before it, found \(record.chain.hexadecimal)")
    }
    switch record.content {
    case .commit(let part): return try take(part)
    case _ where unfinished != nil: throw damage("expected another part of commit \(number + 1)")
    case .close(let close): return .closed(close)
    case .snapshot(let marker):
      guard marker.sequence < next, marker.number <= number + 1 else {
        throw damage("expected a snapshot of commit \(number) or an earlier one, found \(marker.number)")
      }
      // One with the next number stands in the place of that commit.
      number = max(number, marker.number)
      return .snapshotTaken(marker)
    case .open, .chunk: throw damage("expected a record of the log, found a chunk of a snapshot")
    }
  }

  private mutating func take(_ part: CommitPart) throws(LogDamage) -> LogEvent? {
    guard part.number == number + 1 else { throw damage("expected commit \(number + 1), found \(part.number)") }
    if unfinished == nil, part.part == 0 {
      unfinished = CommitAssembly(part)
    } else if unfinished?.precedes(part) == true {
      unfinished?.add(part)
    } else {
      throw damage("expected part \(unfinished?.parts.count ?? 0) of commit \(part.number), found \(part.part)")
    }
    guard let whole = unfinished, let commit = whole.commit else { return nil }
    unfinished = nil
    number = commit.number
    return .committed(commit, told: whole.told)
  }

  func damage(_ finding: String) -> LogDamage {
    LogDamage(sequences: next...next, finding: finding, soundCommit: number)
  }
}
