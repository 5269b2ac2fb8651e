internal import Signals
internal import StateLog

extension StreamLog {
  mutating func append(_ record: LogRecord, _ subject: LogSubject, after: UInt64, at now: Instant) -> [Output] {
    outputs(appender.append(record.bytes, subject, after: after, at: now))
  }

  /// Appends the next record of an owner, if none is under way.
  mutating func work(at now: Instant) -> [Output] {
    var outputs: [Output] = []
    while isOwner, appender.isIdle, let cursor, let job = jobs.first {
      func append(_ content: LogRecord.Content, _ subject: LogSubject, time: Int64) -> [Output] {
        self.append(
          LogRecord(term: cursor.term, chain: cursor.chain, time: time, content), subject, after: cursor.last, at: now)
      }
      switch job {
      case .commit(let commit, let told):
        let parts = CommitPart.parts(of: commit, told: told, size: limits.partSize)
        jobs.replaceSubrange(0..<1, with: parts.map { .part($0) })
      case .part(let part): outputs += append(.commit(part), .commit, time: part.time)
      case .marker(let marker): outputs += append(.snapshot(marker), .snapshot, time: marker.time)
      case .close(let close, let time): outputs += append(.close(close), .open, time: time)
      case .snapshot(let snapshot, let emitted):
        jobs.removeFirst()
        let isCommit = snapshot.number == cursor.number + 1
        guard isCommit || snapshotWriter.isIdle && snapshot.number == cursor.number else { break }
        outputs += self.outputs(snapshotWriter.write(snapshot, emitted: emitted, at: cursor, at: now))
      }
    }
    return outputs
  }

  /// Appends the marker of a snapshot whose chunks are stored: before the commits that wait, and behind the parts of the
  /// one that is under way.
  mutating func append(_ marker: SnapshotMarker, at now: Instant) -> [Output] {
    if case .close = jobs.first { return [] }
    let place = jobs.firstIndex { if case .part = $0 { false } else { true } } ?? jobs.endIndex
    jobs.insert(.marker(marker), at: place)
    return work(at: now)
  }

  /// Takes the fate of the record under way.
  mutating func settle(_ fate: RecordAppender.Fate, at now: Instant) -> [Output] {
    switch (fate, tenure) {
    case (.stored(let message), .claiming):
      known = max(known, message.sequence)
      search.found()
      tenure = .beginning(term: message.sequence)
      let claimed = [Output.claimed(term: message.sequence)]
      guard let cursor, cursor.last >= message.sequence else { return claimed + read(at: now) }
      return claimed + begin(message.sequence, at: now)
    case (.stored(let message), _): return stored(message, at: now)
    case (.superseded(let message, let end), .claiming):
      if let message { known = max(known, message.sequence) }
      toldEnd = end ?? known
      tenure = .none
      return [.claimRefused(by: message)]
    case (.superseded(let message, _), _):
      if let message { known = max(known, message.sequence) }
      return fence(by: message, at: now)
    case (.beyondEnd(let last), .claiming):
      appender.abandon()
      toldEnd = last
      tenure = .none
      if last < known, let damage = missing(last + 1...known, at: now) { return damage }
      return [.claimRefused(by: nil)]
    case (.beyondEnd(let last), _): return missing(last + 1...max(last + 1, known), at: now) ?? []
    }
  }

  /// Takes a record of the owner that is stored.
  private mutating func stored(_ message: StoredMessage, at now: Instant) -> [Output] {
    let event: LogEvent?
    do throws(LogDamage) { event = try cursor?.take(message) } catch { return stop(error) }
    known = max(known, message.sequence)
    search.found()
    jobs.removeFirst()
    var outputs: [Output] = []
    switch event {
    case .committed(let commit, _):
      outputs.append(.committed(number: commit.number, sequence: message.sequence))
    case .snapshotTaken(let marker):
      outputs.append(.snapshotTaken(number: marker.number))
      outputs += self.outputs(purges(behind: marker))
    case .closed(let close):
      tenure = .none
      snapshotWriter.stop()
      return [.closed(close)] + read(at: now)
    case .opened, nil: break
    }
    return outputs + work(at: now)
  }

  /// Removes what a snapshot has made superfluous.
  ///
  /// A purge that comes late, or from a node that was replaced, does no harm: the marker is acknowledged. One that is lost
  /// is made up for by the next one.
  private func purges(behind marker: SnapshotMarker) -> [StreamAction] {
    var requests = [StreamRequest.purge(below: marker.sequence + 1)]
    // Servers take the sequences 0 and 1 as a purge of everything.
    if let first = marker.chunks.first, first > 1 { requests.append(.purgeChunks(below: first)) }
    return requests.map { .request(RequestID(part: .purging, number: 0), $0) }
  }

  /// Ends the own term: another node has begun one.
  ///
  /// - Parameter message: The record in the place of the one under way; `nil` if that place was purged, so that the fate
  ///   of the own record cannot be known.
  mutating func fence(by message: StoredMessage? = nil, at now: Instant) -> [Output] {
    if message == nil, case .part(let part) = jobs.first, !part.hasMore { jobs.removeFirst() }
    var dropped: [UInt64] = []
    for job in jobs {
      switch job {
      case .commit(let commit, _): dropped.append(commit.number)
      case .part(let part): if dropped.last != part.number { dropped.append(part.number) }
      case .snapshot, .marker, .close: break
      }
    }
    jobs = []
    tenure = .none
    verification = .distantFuture
    snapshotWriter.stop()
    return [.fenced(dropped: dropped, by: message)] + read(at: now)
  }
}
