internal import Signals
internal import StateLog

/// The storing of a snapshot's chunks, one at a time, beside the commits.
///
/// A chunk that was stored twice does no harm: the marker names the sequences of those that count.
struct SnapshotWriter {
  private enum State {
    case idle
    /// A chunk was sent.
    case sent(Draft)
    /// The next copy of a chunk waits for its time.
    case pausing(Draft)
  }

  private struct Draft {
    let term: UInt64
    let time: Int64
    let bytes: [UInt8]
    let count: Int
    var marker: SnapshotMarker
  }

  private let chunkSize: Int
  private var state = State.idle
  private var lastNumber = 0
  private(set) var deadline = Instant.distantFuture

  init(chunkSize: Int) { self.chunkSize = chunkSize }

  var isIdle: Bool { if case .idle = state { true } else { false } }

  // MARK: Events

  /// Begins with a snapshot of the state behind a place of the log, and gives up one that is being stored.
  mutating func write(
    _ snapshot: Snapshot, emitted: [UInt8], at cursor: LogCursor, at now: Instant
  ) -> [StreamAction] {
    let bytes = snapshot.encoded(emitted: emitted)
    let marker = SnapshotMarker(
      number: snapshot.number, time: snapshot.time, hash: snapshot.hash, sequence: cursor.last, chain: cursor.chain,
      epoch: cursor.epoch, chunks: [], size: bytes.count, checksum: Checksum.of(bytes[...]))
    return send(
      Draft(
        term: cursor.term, time: snapshot.time, bytes: bytes, count: (bytes.count + chunkSize - 1) / chunkSize,
        marker: marker), at: now)
  }

  /// Takes the reply to a chunk.
  ///
  /// - Returns: The marker, if it was the last chunk.
  mutating func replied(
    to number: Int, _ reply: StreamReply, at now: Instant
  ) -> ([StreamAction], SnapshotMarker?) {
    guard number == lastNumber else { return ([], nil) }
    switch (state, reply) {
    case (.sent(var draft), .stored(let sequence)), (.pausing(var draft), .stored(let sequence)):
      draft.marker.chunks.append(sequence)
      if draft.marker.chunks.count < draft.count { return (send(draft, at: now), nil) }
      stop()
      return ([], draft.marker)
    case (.sent(let draft), .unavailable): pause(draft, at: now)
    default: break
    }
    return ([], nil)
  }

  mutating func timePassed(at now: Instant) -> [StreamAction] {
    guard now >= deadline else { return [] }
    switch state {
    case .idle: break
    case .sent(let draft): pause(draft, at: now)
    case .pausing(let draft): return sendCopy(draft, at: now)
    }
    return []
  }

  mutating func stop() {
    state = .idle
    deadline = .distantFuture
  }

  // MARK: Steps

  private mutating func send(_ draft: Draft, at now: Instant) -> [StreamAction] {
    lastNumber += 1
    return sendCopy(draft, at: now)
  }

  private mutating func sendCopy(_ draft: Draft, at now: Instant) -> [StreamAction] {
    state = .sent(draft)
    deadline = now + .seconds(1)
    let index = draft.marker.chunks.count
    let chunk = SnapshotChunk(
      number: draft.marker.number, index: UInt16(index), count: UInt32(draft.count),
      bytes: draft.bytes.dropFirst(index * chunkSize).prefix(chunkSize))
    let record = LogRecord(term: draft.term, chain: 0, time: draft.time, .chunk(chunk))
    return [.request(RequestID(part: .writingChunks, number: lastNumber), .appendChunk(record.bytes))]
  }

  private mutating func pause(_ draft: Draft, at now: Instant) {
    state = .pausing(draft)
    deadline = now + .milliseconds(200)
  }
}
