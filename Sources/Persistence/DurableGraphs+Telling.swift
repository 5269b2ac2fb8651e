import JSON
import Journal
import Queues
import ReactiveCore
import SignalGraph

// How durable graphs are written down, and what they cause is told.

extension DurableGraphs {
  /// Up to how many bytes wait to be written or told before senders wait.
  private static let comfortableSize = 16 << 20
  /// After how many bytes of entries a snapshot is taken.
  static let snapshotInterval = 8 << 20

  /// Whether so much waits for the disk that all that would enter has to wait too: clients, sources and timers.
  package var isBehind: Bool { failure == nil && tellings.heldBytes + entries.bytes.count > Self.comfortableSize }

  /// The turn is over: hands what has entered to the writer, if that is free.
  ///
  /// Entries that arrive while a commit is under way wait for the next one, so that the disk sets the pace.
  package func turnEnds() {
    takeCrossings()
    if !isOver { handOver(evenIfBusy: false) }
  }

  /// - Parameter evenIfBusy: Whether it is handed over though the writer is at work.
  func handOver(evenIfBusy: Bool) {
    guard !entries.isEmpty || tellings.isDue, !isBeforeBarrier else { return }
    if !evenIfBusy, failure != nil || isWriting { return }
    lastCommit += 1
    let isSynced = tellings.close(lastCommit)
    let bytes = entries.bytes
    writer.append(
      Commit(
        number: lastCommit, time: present.microseconds, count: entries.valueCount, entries: bytes,
        hash: durable.hash.value), synced: isSynced)
    sinceSnapshot += bytes.count
    entries = EntryLog()
    let isDue = sinceSnapshot > history.bytes || present.microseconds - lastSnapshot >= history.microseconds
    if isDue, !isSnapshotUnderWay { appendSnapshot() }
  }

  /// Whether all that was handed over is on disk.
  package var isWritten: Bool { !isWriting }

  private var isWriting: Bool { lastCommit >= firstCommit && writer.progress.written < lastCommit }

  /// Whether a snapshot is being written before which no commit may be: they mean nothing without it.
  private var isBeforeBarrier: Bool { barrier > writer.progress.snapshot ?? 0 }

  /// Whether a snapshot is still being written: another one would wait behind it, with all of the state in memory.
  private var isSnapshotUnderWay: Bool { lastSnapshotNumber > writer.progress.snapshot ?? 0 }

  /// Writes the state as it is now in place of a commit: another configuration stands behind what follows.
  ///
  /// Entries that were not handed over stand in it, and their effects are told when it is on disk.
  func takeSnapshot() {
    lastCommit += 1
    tellings.requireSync()
    _ = tellings.close(lastCommit)
    entries = EntryLog()
    appendSnapshot()
    barrier = lastCommit
  }

  private func appendSnapshot() {
    sinceSnapshot = 0
    lastSnapshotNumber = lastCommit
    lastSnapshot = present.microseconds
    doneAppends = 0
    let owed = OwedWritings(tellings.writings)
    writer.append(
      Snapshot(lastCommit, at: present.microseconds, of: durable, owing: owed, configuration), keeping: history.bounds)
  }

  // MARK: Telling

  /// The writer has come further: tells what is on disk by now.
  package func tellWritten() {
    let progress = writer.progress
    note(progress.failure)
    if failure == nil { enterMissed() }
    while let batch = tellings.next(written: progress.written, synced: progress.synced) {
      for telling in batch.tellings { tell(telling) }
      chain = nil
      for (client, count) in batch.unanswered { client.isTold(count, nil) }
    }
    if let failure = progress.failure, progress.isOver { giveUp(failure) }
    noteAppends()
  }

  private func enterMissed() {
    if missedEvents.isEmpty || isOver { return }
    let missed = missedEvents.sorted { $0.key < $1.key }
    missedEvents = [:]
    for (number, event) in missed { enter(.world(event, number: number)) }
  }

  /// Writes down what has been added to files, so that nobody does it again: it would stand there twice.
  private func noteAppends() {
    guard doneAppends > 0, !isOver, failure == nil else { return }
    enter(.appended(doneAppends))
    doneAppends = 0
  }

  private func note(_ failure: StorageError?) {
    switch (self.failure, failure) {
    case (nil, let failure?):
      let end = writer.progress.isOver ? "until the daemon is started again" : "until that is over"
      log("durable graphs take nothing \(end): \(failure)")
    case (.some, nil):
      let lost = lostValues == 0 ? "" : "; \(lostValues) values from files, programs, buses and other graphs were lost"
      log("durable graphs go on" + lost)
      lostValues = 0
    default: break
    }
    self.failure = failure
  }

  /// Tries again what could not be written.
  package func retry() { if failure != nil { writer.retry() } }

  func tell(_ telling: Telling) {
    guard let main else { return }
    switch telling {
    case .next(let payload, let sequence, let mirror, let time, let isSent):
      if isSent { onSource(true) }
      main.reflect(.next(payload, sequence: sequence), in: mirror, at: time)
      if isSent { onSource(false) }
    case .ended(let ending, let mirror, let time, let cause):
      main.reflect(.ended(ending), in: mirror, at: time, cause: cause)
    case .value(let value, let name):
      guard let signal = main.signal(named: name), let next = prolong(chain, to: name) else { return }
      let cause = chain
      chain = next
      defer { chain = cause }
      do throws(SendError) { try main.send(value, to: signal) } catch {
        main.count(.error, in: signal)
        main.report(RefusedValue(sent: value, to: name, error))
      }
    case .listening(let listens, let name):
      guard let signal = main.signal(named: name) else { return }
      if listens, heardBefore.remove(name) != nil { return }
      if listens { main.attach(to: signal) } else { main.detach(from: signal) }
    case .loss(let event, let mirror): main.count(event, in: mirror)
    case .refusal(let refusal): main.report(refusal)
    case .writing(let writing):
      do throws(SignalFailure) { try system.write(writing) } catch { log(error.message) }
      if writing.isAppended { doneAppends += 1 }
    case .deed(let carryOut, _): carryOut()
    case .news(let news, let action): main.hear(news, of: action)
    case .renewal(let names, let renew): renew(main.renewal(of: Array(names)))
    case .chain(let chain): self.chain = chain
    case .answer(let answer): answer(nil)
    }
  }

  // MARK: Handing over

  /// Has another process find little to work out: what was written since the last snapshot stands in one more.
  package func shortenJournal() {
    takeCrossings()
    if sinceSnapshot + entries.bytes.count > Self.shortJournal, failure == nil, !isOver { takeSnapshot() }
  }

  /// So many bytes of entries are worked out in a few milliseconds.
  private static let shortJournal = 256 << 10

  // MARK: The end

  /// Whether all that has entered is on disk, and was told.
  package var isIdle: Bool { entries.isEmpty && !tellings.isDue && tellings.isEmpty && crossings.isEmpty && !isWriting }

  /// Writes what was handed over, and no more; nothing is told.
  package func abandon() {
    isOver = true
    writer.close()
  }

  /// Writes all that has entered, and tells it; this waits for the disk.
  package func finish() {
    takeCrossings()
    // While another snapshot is being written, what has entered stands in one more.
    if isBeforeBarrier, !isIdle { takeSnapshot() } else { handOver(evenIfBusy: true) }
    if tellings.writings.contains(where: \.isAppended) {
      // That they are there has to be on disk as well.
      writer.wait(forCommit: lastCommit)
      tellWritten()
      handOver(evenIfBusy: true)
    }
    isOver = true
    writer.close()
    tellWritten()
    if let failure { giveUp(failure) }
  }
}
