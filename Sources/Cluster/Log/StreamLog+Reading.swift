internal import Signals
internal import StateLog

extension StreamLog {
  private var mayRead: Bool {
    switch tenure {
    case .none, .claiming, .beginning: true
    case .verifying, .owning, .closing, .damaged: false
    }
  }

  /// Begins to read, if that is not under way.
  mutating func read(at now: Instant) -> [Output] {
    guard mayRead, reader.isStopped, snapshotReader.isIdle else { return [] }
    guard let cursor else { return outputs(snapshotReader.start(at: now)) }
    return outputs(reader.start(from: cursor.next, at: now))
  }

  mutating func located(_ finding: SnapshotReader.Finding, at now: Instant) -> [Output] {
    let place: LogCursor
    var recovered = Output.recovered(nil, emitted: [])
    switch finding {
    case .none: place = LogCursor()
    case .snapshot(let snapshot, let emitted, let marker, let term):
      place = LogCursor(behind: marker, term: term)
      recovered = .recovered(snapshot, emitted: emitted)
    case .damaged(let sequence, let finding):
      return damage(at: sequence, finding)
    case .missing(let sequence, let finding):
      return search.lookedInVain(at: now) >= limits.patience ? damage(at: sequence, finding) : []
    }
    if let cursor, (place.next, place.number) <= (cursor.next, cursor.number) {
      // The newest marker stands behind what was purged: a server has answered that does not know it yet.
      snapshotReader.retry(at: now)
      return missing(cursor.next...max(cursor.next, known), at: now) ?? []
    }
    search.found()
    cursor = place
    known = max(known, place.last)
    if case .beginning(let term) = tenure, place.last >= term { return [recovered] + fence(at: now) }
    return [recovered] + outputs(reader.start(from: place.next, at: now))
  }

  /// Continues behind the newest snapshot, since what follows the cursor was purged.
  mutating func purged(at now: Instant) -> [Output] {
    guard snapshotReader.isIdle else { return [] }
    return outputs(reader.stop() + snapshotReader.start(at: now))
  }

  mutating func take(_ message: StoredMessage, at now: Instant) -> [Output] {
    let event: LogEvent?
    let before = cursor
    do throws(LogDamage) { event = try cursor?.take(message) } catch { return stop(error) }
    search.found()
    if case .snapshotTaken(let marker) = event, let before, marker.number > before.number {
      // It stands in the place of a commit: the state is only in the snapshot.
      cursor = before
      known = max(known, message.sequence)
      return purged(at: now)
    }
    known = max(known, message.sequence)
    var outputs = event.map { [Output.read($0, sequence: message.sequence)] } ?? []
    if case .beginning(let term) = tenure, message.sequence >= term { outputs += begin(term, at: now) }
    return outputs
  }

  /// Continues towards ownership, if nothing stands behind the own opening.
  mutating func begin(_ term: UInt64, at now: Instant) -> [Output] {
    guard let cursor, cursor.term >= term else {
      return stop(
        LogDamage(
          sequences: term...max(term, cursor?.last ?? 0),
          finding: "an opening was stored in the place of records that were read",
          soundCommit: cursor?.number ?? 0))
    }
    guard cursor.last == term else { return fence(at: now) }
    tenure = .verifying(term: term)
    snapshotReader.stop()
    return outputs(reader.stop()) + verify(at: now)
  }

  /// Asks the log for the last record that stands for the history that was read.
  ///
  /// Openings name no history. So without this, a node that had read what the servers then lost would write on behind
  /// what others have stored there since, and damage it.
  mutating func verify(at now: Instant) -> [Output] {
    guard case .verifying(let term) = tenure else { return [] }
    guard let anchor = cursor?.anchor else { return own(term) }
    verification = now + .seconds(1)
    return look(.message(at: anchor.sequence))
  }

  mutating func verified(_ message: StoredMessage, term: UInt64, at now: Instant) -> [Output] {
    guard let anchor = cursor?.anchor, message.sequence == anchor.sequence else { return [] }
    guard RecordBytes.checksum(of: message.bytes) == anchor.checksum else {
      return stop(
        LogDamage(
          sequences: anchor.sequence...anchor.sequence, finding: "another record stands there than was read",
          soundCommit: cursor?.number ?? 0))
    }
    return own(term)
  }

  private mutating func own(_ term: UInt64) -> [Output] {
    search.found()
    tenure = .owning
    verification = .distantFuture
    return [.began(term: term)]
  }

  /// Takes note that records were looked for in vain; after too long a search the log is damaged.
  mutating func missing(_ sequences: ClosedRange<UInt64>, at now: Instant) -> [Output]? {
    guard search.lookedInVain(at: now) >= limits.patience else { return nil }
    return stop(
      LogDamage(
        sequences: sequences, finding: "no server has these records, which were acknowledged",
        soundCommit: cursor?.number ?? 0))
  }

  private mutating func damage(at sequence: UInt64, _ finding: String) -> [Output] {
    stop(LogDamage(sequences: sequence...sequence, finding: finding, soundCommit: cursor?.number ?? 0))
  }

  mutating func stop(_ damage: LogDamage) -> [Output] {
    tenure = .damaged
    appender.abandon()
    snapshotReader.stop()
    snapshotWriter.stop()
    verification = .distantFuture
    jobs = []
    return outputs(reader.stop()) + [.damaged(damage)]
  }

  func outputs(_ actions: [StreamAction]) -> [Output] { actions.map { .stream($0) } }
}
