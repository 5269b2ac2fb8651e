internal import Signals
internal import StateLog

/// The search for the newest snapshot, and the reading of its chunks, a few at a time.
///
/// The marker found may be an old one: what was purged meanwhile is then missing, and the search begins again.
struct SnapshotReader {
  private enum State {
    case idle
    case searching
    case reading(Draft)
    /// The next search waits for its time.
    case pausing
  }

  private struct Draft {
    /// The sequence of the marker.
    let sequence: UInt64
    let marker: SnapshotMarker
    let term: UInt64
    var chunks: [ArraySlice<UInt8>?]
    /// The chunks asked for, by the numbers of the requests.
    var requested: [Int: Int] = [:]
    var nextIndex = 0
    var missing: Int
  }

  enum Finding {
    /// The log has no snapshot: it is read from its first record.
    case none
    case snapshot(Snapshot, emitted: [UInt8], SnapshotMarker, term: UInt64)
    case damaged(sequence: UInt64, String)
    /// A server has not got a chunk: it lags behind, or the chunk is lost.
    case missing(sequence: UInt64, String)
  }

  private static let window = 4
  private static let answer = Duration.seconds(1)
  private static let pause = Duration.milliseconds(200)

  private var state = State.idle
  private var lastNumber = 0
  private(set) var deadline = Instant.distantFuture

  var isIdle: Bool { if case .idle = state { true } else { false } }

  // MARK: Events

  mutating func start(at now: Instant) -> [StreamAction] {
    state = .searching
    deadline = now + Self.answer
    lastNumber += 1
    return [.request(RequestID(part: .locating, number: lastNumber), .newestMarker)]
  }

  mutating func stop() {
    state = .idle
    deadline = .distantFuture
  }

  /// Searches again after a pause, since what was found is of no use.
  mutating func retry(at now: Instant) {
    state = .pausing
    deadline = now + Self.pause
  }

  mutating func replied(to number: Int, _ reply: StreamReply, at now: Instant) -> ([StreamAction], Finding?) {
    switch (state, reply) {
    case (.searching, .missing) where number == lastNumber:
      stop()
      return ([], Finding.none)
    case (.searching, .message(let message)) where number == lastNumber: return found(message, at: now)
    case (.searching, .unavailable) where number == lastNumber: retry(at: now)
    case (.reading(var draft), .message(let message)):
      guard let index = draft.requested.removeValue(forKey: number) else { break }
      return take(message, index, of: &draft, at: now)
    case (.reading(let draft), .missing):
      guard let index = draft.requested[number] else { break }
      retry(at: now)
      let finding = "no server has chunk \(index) of snapshot \(draft.marker.number)"
      return ([], .missing(sequence: draft.sequence, finding))
    case (.reading(let draft), .unavailable):
      if draft.requested[number] != nil { retry(at: now) }
    default: break
    }
    return ([], nil)
  }

  mutating func timePassed(at now: Instant) -> [StreamAction] {
    guard now >= deadline else { return [] }
    switch state {
    case .idle: return []
    case .searching, .pausing: return start(at: now)
    case .reading(var draft):
      // Replies were lost: the same chunks are asked for again.
      draft.requested = [:]
      draft.nextIndex = 0
      return request(&draft, at: now)
    }
  }

  // MARK: Steps

  private mutating func found(_ message: StoredMessage, at now: Instant) -> ([StreamAction], Finding?) {
    do throws(RecordDamage) {
      let record = try LogRecord(message.bytes)
      guard case .snapshot(let marker) = record.content, !marker.chunks.isEmpty else {
        return fail(message.sequence, "expected the marker of a snapshot")
      }
      var draft = Draft(
        sequence: message.sequence, marker: marker, term: record.term,
        chunks: Array(repeating: nil, count: marker.chunks.count),
        missing: marker.chunks.count)
      return (request(&draft, at: now), nil)
    } catch {
      return fail(message.sequence, "marker of a snapshot: \(error)")
    }
  }

  private mutating func request(_ draft: inout Draft, at now: Instant) -> [StreamAction] {
    var actions: [StreamAction] = []
    while draft.nextIndex < draft.chunks.count, draft.requested.count < Self.window {
      defer { draft.nextIndex += 1 }
      if draft.chunks[draft.nextIndex] != nil { continue }
      lastNumber += 1
      draft.requested[lastNumber] = draft.nextIndex
      actions.append(
        .request(
          RequestID(part: .locating, number: lastNumber), .chunk(at: draft.marker.chunks[draft.nextIndex])))
    }
    state = .reading(draft)
    deadline = now + Self.answer
    return actions
  }

  private mutating func take(
    _ message: StoredMessage, _ index: Int, of draft: inout Draft, at now: Instant
  ) -> ([StreamAction], Finding?) {
    let record: LogRecord
    do throws(RecordDamage) { record = try LogRecord(message.bytes) } catch {
      return fail(draft.sequence, "chunk \(index) of snapshot \(draft.marker.number): \(error)")
    }
    guard case .chunk(let chunk) = record.content, record.term == draft.term, chunk.number == draft.marker.number,
      chunk.index == index, Int(chunk.count) == draft.chunks.count
    else { return fail(draft.sequence, "chunk \(index) of snapshot \(draft.marker.number) is another one") }
    draft.chunks[index] = chunk.bytes
    draft.missing -= 1
    guard draft.missing == 0 else { return (request(&draft, at: now), nil) }
    let bytes = draft.chunks.flatMap { $0 ?? [] }
    guard bytes.count == draft.marker.size, Checksum.of(bytes[...]) == draft.marker.checksum else {
      return fail(draft.sequence, "the chunks of snapshot \(draft.marker.number) have another checksum")
    }
    do throws(StateError) {
      let (snapshot, emitted) = try Snapshot.decoded(bytes)
      stop()
      return ([], .snapshot(snapshot, emitted: emitted, draft.marker, term: draft.term))
    } catch {
      return fail(draft.sequence, "snapshot \(draft.marker.number): \(error.message)")
    }
  }

  private mutating func fail(_ sequence: UInt64, _ finding: String) -> ([StreamAction], Finding?) {
    stop()
    return ([], .damaged(sequence: sequence, finding))
  }
}
