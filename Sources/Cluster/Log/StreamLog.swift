package import Signals
package import StateLog

/// A state log in a stream of JetStream, as one node reads and writes it.
///
/// It is a state machine without I/O: its surroundings report what has happened, perform the actions it returns, and call
/// `timePassed` at its `deadline`. All safety is in the fence: an append names the sequence it belongs behind, and is
/// stored there or not at all.
///
///     none ──claim──▶ claiming ──own opening stored──▶ beginning ──read up to it──▶ verifying ──▶ owning ──▶ closing
///      ▲                 │                                │                            │           │           │
///      └─ another record stands at the place ─────────────┴────────────────────────────┴───────────┴───────────┘
///
/// Whoever does not own the log may follow it. An owner does not read: it knows what it has written.
package struct StreamLog {
  package enum Output {
    case stream(StreamAction)
    /// Reading begins behind a snapshot; without one, at the first record. What was known before is void.
    ///
    /// - Parameter emitted: The events that the snapshot publishes, if it stands in the place of a commit.
    case recovered(Snapshot?, emitted: [UInt8])
    /// A record was read.
    case read(LogEvent, sequence: UInt64)
    /// The opening is stored: a term has begun, in which the node first reads everything before it.
    case claimed(term: UInt64)
    /// A claim was refused: another record stands at its place, or the log ends before it.
    case claimRefused(by: StoredMessage?)
    /// The node owns the log: it has read everything before its opening.
    case began(term: UInt64)
    /// A commit of the owner is stored, and may be told.
    case committed(number: UInt64, sequence: UInt64)
    /// A snapshot of the owner has become the newest.
    case snapshotTaken(number: UInt64)
    /// The term has ended in order.
    case closed(CloseRecord)
    /// Another node owns the log. These commits of the owner are not in it, and never will be; the fate of one that is
    /// neither here nor was reported as committed is found by reading only.
    ///
    /// - Parameter by: The record that stands in the place of an own one, if it is known.
    case fenced(dropped: [UInt64], by: StoredMessage?)
    /// The log is damaged; nothing more is read or written.
    case damaged(LogDamage)
  }

  enum Tenure: Equatable {
    case none
    case claiming
    case beginning(term: UInt64)
    /// Everything before the own opening was read; the log is asked whether it still has the history that was read.
    case verifying(term: UInt64)
    case owning
    /// The record that ends the term waits for those before it, or is under way.
    case closing
    case damaged
  }

  /// The next work of the owner.
  enum Job {
    case commit(Commit, told: [UInt8])
    case part(CommitPart)
    case snapshot(Snapshot, emitted: [UInt8])
    case marker(SnapshotMarker)
    case close(CloseRecord, time: Int64)
  }

  let limits: StreamLogLimits
  var tenure = Tenure.none
  /// The place of the last record that was read or written; `nil` before a snapshot, or the beginning, was found.
  package internal(set) var cursor: LogCursor?
  /// The last sequence that is known to exist: read, acknowledged, or reported by its owner.
  package internal(set) var known: UInt64 = 0
  /// The end of the log, as the last refusal has told it: where the next claim tries.
  var toldEnd: UInt64 = 0
  var jobs: [Job] = []
  var appender = RecordAppender()
  var reader = LogReader()
  var snapshotReader = SnapshotReader()
  var snapshotWriter: SnapshotWriter
  var search = MissingRecords()
  /// The time at which the history is to be verified again, if no answer comes.
  var verification = Instant.distantFuture
  private var lastLook = 0

  package init(_ limits: StreamLogLimits = StreamLogLimits()) {
    self.limits = limits
    snapshotWriter = SnapshotWriter(chunkSize: limits.chunkSize)
  }

  /// The time at which `timePassed` has to be called.
  package var deadline: Instant {
    min(appender.deadline, reader.deadline, snapshotReader.deadline, snapshotWriter.deadline, verification)
  }

  package var isOwner: Bool { tenure == .owning || tenure == .closing }
  /// True while the own term takes more.
  package var isOpen: Bool { tenure == .owning }
  /// True if the node neither owns nor claims the log, and could claim it.
  package var isIdle: Bool { tenure == .none }
  package var isDamaged: Bool { tenure == .damaged }
  /// True if the owner has nothing under way.
  package var isSettled: Bool { jobs.isEmpty && appender.isIdle && snapshotWriter.isIdle }
}

// MARK: Requests

extension StreamLog {
  /// Begins to read what other nodes write.
  package mutating func follow(at now: Instant) -> [Output] {
    read(at: now)
  }

  /// Takes note of the term and the last sequence that the process of an owner reports.
  package mutating func ownerReports(term: UInt64, boot: String, sequence: UInt64) -> [Output] {
    known = max(known, sequence)
    guard let cursor, !isDamaged, term <= cursor.last,
      term > cursor.term || term == cursor.term && boot != cursor.boot ?? boot
    else { return [] }
    return stop(
      LogDamage(
        sequences: term...cursor.last, finding: "another term began there than was read",
        soundCommit: cursor.number))
  }

  /// Looks for a record of another owner behind the own ones: an owner without work would not notice that it was replaced.
  package mutating func doubt(at now: Instant) -> [Output] {
    guard isOwner, appender.isIdle, let cursor else { return [] }
    return look(.message(at: cursor.next))
  }

  /// Tries to become the owner.
  ///
  /// - Precondition: The node neither owns nor claims the log.
  package mutating func claim(_ open: OpenRecord, time: Int64, at now: Instant) -> [Output] {
    if tenure == .damaged { return [] }
    precondition(tenure == .none && appender.isIdle, "a claim needs an end of the one before")
    tenure = .claiming
    let end = max(known, toldEnd, cursor?.last ?? 0)
    let record = LogRecord(term: end + 1, chain: 0, time: time, .open(open))
    return append(record, .open, after: end, at: now)
  }

  /// Stores a commit; only an owner may.
  package mutating func append(_ commit: Commit, told: [UInt8], at now: Instant) -> [Output] {
    guard tenure == .owning else { return [.fenced(dropped: [commit.number], by: nil)] }
    jobs.append(.commit(commit, told: told))
    return work(at: now)
  }

  /// Stores a snapshot of the state behind the last commit appended.
  ///
  /// One that comes while another is being stored is dropped: the next one is due soon. A snapshot with the next number
  /// stands in the place of a commit, for changes of the state that no input has caused. It is never dropped, and nothing
  /// may be appended behind it before `snapshotTaken` reports it.
  ///
  /// - Parameter emitted: The events that it publishes in that case.
  package mutating func append(_ snapshot: Snapshot, emitted: [UInt8] = [], at now: Instant) -> [Output] {
    guard tenure == .owning else { return [] }
    jobs.append(.snapshot(snapshot, emitted: emitted))
    return work(at: now)
  }

  /// Ends the term behind everything appended.
  package mutating func close(_ close: CloseRecord, time: Int64, at now: Instant) -> [Output] {
    guard tenure == .owning else { return [] }
    tenure = .closing
    jobs.append(.close(close, time: time))
    return work(at: now)
  }
}

// MARK: Events

extension StreamLog {
  package mutating func replied(to id: RequestID, _ reply: StreamReply, at now: Instant) -> [Output] {
    if tenure == .damaged { return [] }
    switch id.part {
    case .appending:
      let (actions, fate) = appender.replied(to: id.number, reply, at: now)
      return outputs(actions) + (fate.map { settle($0, at: now) } ?? [])
    case .locating:
      let (actions, finding) = snapshotReader.replied(to: id.number, reply, at: now)
      return outputs(actions) + (finding.map { located($0, at: now) } ?? [])
    case .writingChunks:
      let (actions, marker) = snapshotWriter.replied(to: id.number, reply, at: now)
      return outputs(actions) + (marker.map { append($0, at: now) } ?? [])
    case .reading: return id.number == lastLook ? looked(reply, at: now) : []
    case .purging: return []
    }
  }

  /// Takes a record that a reader has delivered.
  package mutating func delivered(_ message: StoredMessage, to id: ReaderID, at now: Instant) -> [Output] {
    guard let next = cursor?.next else { return [] }
    switch reader.accepts(id, message.sequence, next: next, at: now) {
    case .stale: return []
    case .next: return take(message, at: now)
    case .gap:
      // The missing records may have been purged, behind a snapshot that is newer than the place of this reader.
      return look(.info) + outputs(reader.restart(at: now))
    }
  }

  /// Takes a heartbeat of a reader, which names the last record that was sent to it.
  package mutating func heard(_ id: ReaderID, delivered: UInt64, at now: Instant) -> [Output] {
    guard let cursor,
      reader.isShort(id, delivered: delivered, next: cursor.next, known: known, at: now)
    else { return [] }
    if known >= cursor.next, let damage = missing(cursor.next...known, at: now) { return damage }
    return outputs(reader.restart(at: now))
  }

  /// Takes note of a new connection: requests and readers of the one before are lost, and are repeated at once.
  package mutating func connected(at now: Instant) -> [Output] {
    let actions = appender.connected(at: now) + reader.restart(at: now)
    return outputs(actions) + timePassed(at: now)
  }

  package mutating func timePassed(at now: Instant) -> [Output] {
    var actions = appender.timePassed(at: now) + snapshotReader.timePassed(at: now) + snapshotWriter.timePassed(at: now)
    if let cursor { actions += reader.timePassed(next: cursor.next, at: now) }
    return outputs(actions) + (now >= verification ? verify(at: now) : [])
  }
}

// MARK: Looking

extension StreamLog {
  mutating func look(_ request: StreamRequest) -> [Output] {
    lastLook += 1
    return [.stream(.request(RequestID(part: .reading, number: lastLook), request))]
  }

  /// Takes what stands at a place that was looked at: behind the cursor, or at its anchor.
  private mutating func looked(_ reply: StreamReply, at now: Instant) -> [Output] {
    guard let cursor else { return [] }
    switch (reply, tenure) {
    case (.missing, _): return look(.info)
    case (.message(let message), .verifying(let term)): return verified(message, term: term, at: now)
    case (.message(let message), .owning), (.message(let message), .closing):
      return appender.isIdle && message.sequence == cursor.next ? fence(by: message, at: now) : []
    case (.info(let first, _), .verifying):
      guard let anchor = cursor.anchor?.sequence, first <= anchor else {
        // The anchor was purged: another owner has stored a snapshot behind it.
        return fence(at: now)
      }
      return missing(anchor...max(anchor, known), at: now) ?? []
    case (.info(let first, _), .owning), (.info(let first, _), .closing):
      return appender.isIdle && first > cursor.next ? fence(at: now) : []
    case (.info(let first, _), _): return first > cursor.next ? purged(at: now) : []
    default: return []
    }
  }
}
