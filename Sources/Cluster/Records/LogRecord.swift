internal import Signals

/// A record of a log in a stream: one message.
package struct LogRecord: Equatable, Sendable {
  package enum Content: Equatable, Sendable {
    case open(OpenRecord)
    case close(CloseRecord)
    case commit(CommitPart)
    case snapshot(SnapshotMarker)
    case chunk(SnapshotChunk)
  }

  /// The sequence of the opening under which it was written; an opening has its own.
  package var term: UInt64
  /// The chain of all records before it; 0 in an opening, whose author need not have read them, and in a chunk.
  ///
  /// It finds what no checksum of a record can: an acknowledged record that the servers have lost and replaced.
  package var chain: UInt64
  /// The time, in microseconds since 1970.
  package var time: Int64
  package var content: Content

  package init(term: UInt64, chain: UInt64, time: Int64, _ content: Content) {
    self.term = term
    self.chain = chain
    self.time = time
    self.content = content
  }
}

// MARK: Bytes

extension LogRecord {
  private enum Kind: UInt8 {
    case open = 0x6f  // o
    case close = 0x78  // x
    case commit = 0x63  // c
    case snapshot = 0x73  // s
    case chunk = 0x6b  // k
  }

  private static let hasMore: UInt8 = 1

  package var bytes: [UInt8] {
    func frame(_ kind: Kind) -> RecordBytes {
      RecordBytes(kind: kind.rawValue, term: term, time: time, chain: chain)
    }
    var record: RecordBytes
    switch content {
    case .open(let open):
      record = frame(.open)
      record.first = open.encoded[...]
    case .close(let close):
      record = frame(.close)
      record.first = close.encoded[...]
    case .commit(let part):
      record = frame(.commit)
      record.flags = part.hasMore ? Self.hasMore : 0
      (record.part, record.number, record.time) = (part.part, part.number, part.time)
      (record.count, record.hash, record.first, record.second) = (part.count, part.hash, part.entries, part.told)
    case .snapshot(let marker):
      record = frame(.snapshot)
      (record.number, record.time, record.hash) = (marker.number, marker.time, marker.hash)
      record.first = marker.encoded[...]
    case .chunk(let chunk):
      record = frame(.chunk)
      (record.number, record.part, record.count, record.first) = (chunk.number, chunk.index, chunk.count, chunk.bytes)
    }
    return record.encoded
  }

  /// Reads a record.
  package init(_ bytes: [UInt8]) throws(RecordDamage) {
    let record = try RecordBytes(bytes)
    guard let kind = Kind(rawValue: record.kind) else {
      throw RecordDamage(at: 4, expected: "a kind of record (o, x, c, s or k)", found: "byte \(record.kind)")
    }
    guard record.flags & ~Self.hasMore == 0, record.flags == 0 || kind == .commit else {
      throw RecordDamage(at: 5, expected: "no flags, or 1 in a commit", found: "\(record.flags)")
    }
    (term, chain, time) = (record.term, record.chain, record.time)
    do throws(StateError) {
      content =
        switch kind {
        case .open: .open(try OpenRecord(record.first))
        case .close: .close(try CloseRecord(record.first))
        case .snapshot: .snapshot(try SnapshotMarker(record))
        case .commit:
          .commit(
            CommitPart(
              number: record.number, time: record.time, count: record.count, hash: record.hash, part: record.part,
              hasMore: record.flags == Self.hasMore, entries: record.first, told: record.second))
        case .chunk:
          .chunk(
            SnapshotChunk(number: record.number, index: record.part, count: record.count, bytes: record.first))
        }
    } catch {
      throw RecordDamage(at: record.first.startIndex, expected: "the fields of its kind", found: error.message)
    }
  }
}
