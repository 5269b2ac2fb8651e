import Base
import GraphEngine
import GraphModel
import JSON
import Signals
import StateLog

// Committing the inputs of durable graphs and releasing their effects.

extension DurableGraphs {
  /// The size of uncommitted data, in bytes, above which senders are paused.
  private static let comfortableSize = 16 << 20
  /// The number of bytes of entries between snapshots.
  static let snapshotInterval = 8 << 20

  /// True while so much is uncommitted that all input is paused: clients, sources and timers.
  package var isBehind: Bool { failure == nil && effects.heldBytes + entries.bytes.count > Self.comfortableSize }

  /// True while nothing can be written, and the sources that can wait are not read.
  package var holdsSources: Bool { failure?.isPassing ?? false }

  /// Ends an iteration of the event loop: passes new entries to the writer if it is idle.
  ///
  /// Entries that arrive during a commit wait for the next one, so that the disk sets the pace.
  package func endIteration() {
    takeCrossings()
    if !isOver { handOver(evenIfBusy: false) }
  }

  /// - Parameter evenIfBusy: True to pass entries to the writer even while it is working.
  func handOver(evenIfBusy: Bool) {
    guard !entries.isEmpty || effects.isDue, !isBeforeBarrier else { return }
    if !evenIfBusy, failure != nil || isWriting { return }
    lastCommit += 1
    let bytes = entries.bytes
    writer.append(
      Commit(
        number: lastCommit, time: present.microseconds, count: entries.valueCount, entries: bytes,
        hash: durable.hash.value), emitted: { encodeEmitted() }, synced: effects.isSynced)
    effects.close(lastCommit)
    snapshots.note(commit: bytes.count)
    entries = EntryLog()
    if snapshots.isDue(at: present.microseconds, written: writer.progress.snapshot) { appendSnapshot() }
  }

  /// Encodes the events of the current commit that clients may see.
  private func encodeEmitted() -> [UInt8] {
    var writer = StateEncoder()
    for effect in effects.present { EmittedEvent(effect, placesByMirror)?.encode(to: &writer) }
    return writer.bytes
  }

  /// True when all commits are on disk.
  package var isWritten: Bool { !isWriting }

  private var isWriting: Bool { lastCommit >= firstCommit && writer.progress.written < lastCommit }

  /// True while a snapshot is being written that must precede all further commits: they mean nothing without it.
  private var isBeforeBarrier: Bool { snapshots.holdsUpCommits(written: writer.progress.snapshot) }

  /// Writes the current state in place of a commit, since later commits belong to another configuration.
  ///
  /// It includes pending entries, whose effects are released when it is on disk.
  func takeSnapshot() {
    lastCommit += 1
    effects.requireSync()
    entries = EntryLog()
    appendSnapshot(isBarrier: true) { encodeEmitted() }
    effects.close(lastCommit)
  }

  private func appendSnapshot(isBarrier: Bool = false, emitted: () -> [UInt8] = { [] }) {
    snapshots.note(snapshot: lastCommit, at: present.microseconds, isBarrier: isBarrier)
    completedWritings = CompletedWritings()
    let owed = OwedWritings(effects.writings)
    let snapshot = Snapshot(lastCommit, at: present.microseconds, of: durable, owing: owed, configuration)
    snapshots.note(size: snapshot.state.count + snapshot.configuration.count)
    writer.append(snapshot, emitted: emitted, keeping: snapshots.history.bounds)
  }

  // MARK: Effects

  /// Releases the effects that have been committed by now.
  package func releaseCommitted() {
    let progress = writer.progress
    note(progress.failure)
    if failure == nil {
      enterMissed()
      takeMissed()
    }
    while let batch = effects.next(written: progress.written, synced: progress.synced) {
      for effect in batch.effects { release(effect) }
      chain = nil
      for (client, count) in batch.unanswered { client.didCommit(count, in: home, nil) }
    }
    if let failure = progress.failure, progress.isOver { giveUp(failure) }
    noteWritings()
  }

  private func enterMissed() {
    if missedEvents.isEmpty || isOver { return }
    for (number, event) in missedEvents.takeAll() { enter(.world(event, number: number)) }
  }

  /// Logs completed file writes, so that recovery does not repeat them.
  private func noteWritings() {
    if isOver || failure != nil { return }
    for entry in completedWritings.takeEntries(unless: { effects.owedContent(of: $0) != nil }) { enter(entry) }
  }

  private func note(_ failure: StorageError?) {
    switch (self.failure, failure) {
    case (nil, let failure?):
      log("\(home.subject) reject inputs \(failure.end): \(failure)")
    case (.some, nil):
      lostValues -= min(lostValues, missed.countOfHeld(in: main))
      let lost = lostValues == 0 ? "" : "; \(lostValues) values from outside and from other graphs were lost"
      log("\(home.subject) resumed" + lost)
      lostValues = 0
      beginWait()
    default: break
    }
    self.failure = failure
  }

  /// Retries a failed write.
  package func retry() { if failure != nil { writer.retry() } }

  func release(_ effect: Effect) {
    guard let main else { return }
    switch effect {
    case .next(let payload, let sequence, let mirror, let key, let time, let isSent):
      if isSent { onSource(true) }
      main.reflect(.next(payload, sequence: sequence), in: mirror, of: key, at: time)
      if isSent { onSource(false) }
    case .ended(let ending, let mirror, let time, let cause):
      main.reflect(.ended(ending), in: mirror, at: time, cause: cause)
    case .value(let value, let name):
      guard let signal = main.signal(named: name) else { return }
      if signal.isMirror {
        homes.send(value, to: signal)
        return
      }
      guard let next = prolong(chain, to: name) else { return }
      let cause = chain
      chain = next
      defer { chain = cause }
      do throws(SendError) { try main.send(value, to: signal) } catch {
        main.count(.error, in: signal)
        main.report(RefusedValue(sent: value, to: name, error))
      }
    case .listening(let listens, let name):
      guard let signal = main.signal(named: name) else { return }
      // A reload may have brought it here since.
      if listens, signal.declaration.home != home { followed.insert(name) } else { followed.remove(name) }
      homes.update(listeningTo: signal, in: main)
    case .holding(let mirror): mirror.holdNewest()
    case .keyEnd(let key, let mirror): mirror.metric?.end(key)
    case .loss(let event, let mirror): main.count(event, in: mirror)
    case .refusal(let refusal): main.report(refusal)
    case .writing(let writing):
      do throws(SignalFailure) { try system.write(writing) } catch { log(error.message) }
      completedWritings.add(writing)
    case .external(let carryOut, _): carryOut()
    case .actionEvent(let actionEvent, let action): main.receive(actionEvent, of: action)
    case .restart(let names, .ended):
      let restarted = main.restartSet(of: Array(names)).compactMap(main.signal)
      // Signals of other homes restart with commits of their own.
      restartSignals(Set(restarted.filter { $0.ending != nil && (!$0.isMirror || homes[$0] === self) }.map(\.name)))
    case .restart(let names, .replaced): replace(names)
    case .chain(let chain): self.chain = chain
    case .answer(let answer): answer(nil)
    }
  }

  // MARK: Handover

  /// Takes a snapshot if the log since the last one is long, so that a new process has little to replay.
  package func shortenLog() {
    takeCrossings()
    if snapshots.logged + entries.bytes.count > Self.shortLog, failure == nil, !isOver { takeSnapshot() }
  }

  /// Takes a snapshot in the place of the newest one, which is lost.
  package func renewSnapshot() { if failure == nil, !isOver { takeSnapshot() } }

  /// An amount of entries that replays within a few milliseconds.
  private static let shortLog = 256 << 10

  // MARK: Shutdown

  /// True when all input is committed and all effects are released.
  package var isIdle: Bool { entries.isEmpty && !effects.isDue && effects.isEmpty && crossings.isEmpty && !isWriting }

  /// Completes pending writes and closes the writer; releases no effects.
  package func abandon() {
    isOver = true
    writer.close()
  }

  /// Closes the graphs at once: pending writes are completed, and nothing else happens afterwards.
  ///
  /// Programs that end with the graphs may report that later, and the other graphs may continue.
  package func close() {
    abandon()
    world.detachAll()
    durable.runtime.onLoss = { _, _ in }
    durable.runtime.onHolding = { _ in }
    durable.runtime.onKeyEnd = { _, _ in }
    durable.onSignals = {}
    durable.onRestart = { _ in }
    // Senders that a full queue of calls holds up continue.
    durable.runtime.stop()
    durable.runtime.onCongestion = { _, _ in }
    homes.remove(self)
    for signal in (main?.signals ?? []) + (main?.own.all ?? []) { homes.update(reflectionOf: signal) }
  }

  /// Commits all input so far and releases its effects; blocks on the disk.
  func commitAll() {
    takeCrossings()
    handOver(evenIfBusy: true)
    writer.wait(forCommit: lastCommit)
    releaseCommitted()
  }

  /// Commits all input and releases its effects, and accepts nothing more; blocks on the disk.
  package func finish() {
    takeCrossings()
    // While another snapshot is being written, the pending input goes into one more.
    if isBeforeBarrier, !isIdle { takeSnapshot() } else { handOver(evenIfBusy: true) }
    if !effects.writings.isEmpty {
      // Their completion has to be committed as well.
      writer.wait(forCommit: lastCommit)
      releaseCommitted()
      handOver(evenIfBusy: true)
    }
    isOver = true
    writer.close()
    releaseCommitted()
    if let failure { giveUp(failure) }
  }
}

extension StorageError {
  /// The end of the time in which inputs are rejected.
  fileprivate var end: String {
    if isPassing { return "until the error is resolved" }
    return kind == .fenced ? "on this machine" : "until the daemon is restarted"
  }
}
