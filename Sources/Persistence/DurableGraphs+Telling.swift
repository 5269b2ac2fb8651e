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

  /// Whether so much waits for the disk that senders have to wait too.
  package var isBehind: Bool { tellingBytes + entries.bytes.count > Self.comfortableSize }

  /// Whether something waits to be told.
  package var hasTellings: Bool { !tellings.isEmpty }

  /// Has something told once the present commit is on disk.
  ///
  /// - Parameter signal: The durable signal whose graph says what that means; `nil` for the strictest.
  func tell(_ telling: Telling, of signal: RunningSignal? = nil) {
    tellingBytes += telling.weight
    tellings.append((lastCommit + 1, signal.map(isSyncing) ?? true, isSent, telling))
    isDue = true
  }

  /// The turn is over: hands what has entered to the writer, if that is free.
  ///
  /// What arrives while a commit is under way waits for the next one, so that the disk sets the pace.
  package func turnEnds() {
    takeCrossings()
    handOver(evenIfBusy: false)
  }

  func handOver(evenIfBusy: Bool) {
    guard !entries.isEmpty || isDue else { return }
    if !evenIfBusy, failure != nil || isWriting { return }
    lastCommit += 1
    let bytes = entries.bytes
    writer.append(
      Commit(
        number: lastCommit, time: present.microseconds, count: entries.valueCount, entries: bytes,
        hash: durable.hash.value), synced: isSynced)
    sinceSnapshot += bytes.count
    entries = EntryLog()
    isSynced = false
    isDue = false
    if sinceSnapshot > history.bytes || present.microseconds - lastSnapshot >= history.microseconds {
      appendSnapshot()
    }
  }

  /// Whether all that was handed over is on disk.
  package var isWritten: Bool { !isWriting }

  private var isWriting: Bool { lastCommit >= firstCommit && writer.progress.written < lastCommit }

  /// Writes the state as it is after something that no entry stands for; what that has caused waits for it.
  ///
  /// It has a number of its own in place of a commit, which could not be worked out from the one before.
  func takeSnapshot() {
    precondition(entries.isEmpty, "what has entered is handed over before")
    lastCommit += 1
    (isDue, isSynced) = (false, false)
    appendSnapshot()
  }

  private func appendSnapshot() {
    sinceSnapshot = 0
    lastSnapshot = present.microseconds
    let owed = tellings.all.compactMap { place -> (String, [UInt8])? in
      if case .content(let content, let path) = place.telling { (path, content) } else { nil }
    }
    writer.append(
      Snapshot(lastCommit, at: present.microseconds, of: durable, owing: owed, configuration), keeping: history.bounds)
  }

  // MARK: Telling

  /// The writer has come further: tells what is on disk by now.
  package func tellWritten() {
    let progress = writer.progress
    note(progress.failure)
    while let first = tellings.first, (first.isSynced ? progress.synced : progress.written) >= first.commit {
      _ = tellings.popFirst()
      tellingBytes -= first.telling.weight
      onSource(first.isSent)
      tell(now: first.telling)
    }
    onSource(false)
  }

  private func note(_ failure: StorageError?) {
    switch (self.failure, failure) {
    case (nil, let failure?):
      log("durable graphs take nothing from now on: \(failure)")
    case (.some, nil):
      let lost = lostValues == 0 ? "" : "; \(lostValues) values from files, programs and other graphs were lost"
      log("durable graphs go on" + lost)
      lostValues = 0
    default: break
    }
    self.failure = failure
  }

  /// Tries again what could not be written.
  package func retry() { if failure != nil { writer.retry() } }

  private func tell(now telling: Telling) {
    guard let main else { return }
    switch telling {
    case .event(let event, let mirror, let time, let cause): main.reflect(event, in: mirror, at: time, cause: cause)
    case .value(let value, let name):
      guard let signal = main.signal(named: name) else { return }
      do throws(SendError) { try main.send(value, to: signal) } catch {
        main.report(RefusedValue(sent: value, to: name, error))
      }
    case .listening(let listens, let name):
      guard let signal = main.signal(named: name) else { return }
      if listens { main.attach(to: signal) } else { main.detach(from: signal) }
    case .refusal(let refusal): main.report(refusal)
    case .content(let content, let path):
      do throws(SignalFailure) { try system.write(content, toFile: path) } catch { log(error.message) }
    case .answer(let answer): answer()
    }
  }

  // MARK: The end

  /// Whether all that has entered is on disk, and was told.
  package var isIdle: Bool { entries.isEmpty && !isDue && tellings.isEmpty && crossings.isEmpty && !isWriting }

  /// Writes what was handed over, and no more; nothing is told.
  package func abandon() { writer.close() }

  /// Writes all that has entered, and tells it; this waits for the disk.
  package func finish() {
    takeCrossings()
    handOver(evenIfBusy: true)
    writer.close()
    tellWritten()
  }
}
