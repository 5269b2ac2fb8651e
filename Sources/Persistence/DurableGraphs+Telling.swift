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
  private static let snapshotInterval = 8 << 20

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
    if !isOver { handOver(evenIfBusy: false) }
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
    if sinceSnapshot > Self.snapshotInterval { appendSnapshot() }
  }

  /// Whether all that was handed over is on disk.
  package var isWritten: Bool { !isWriting }

  private var isWriting: Bool { lastCommit >= firstCommit && writer.progress.written < lastCommit }

  /// Writes the state as a beginning or a reload has left it, and has what these caused wait for that.
  ///
  /// The snapshot takes the place of a commit. No entry leads there, so a commit of its own would not lead there again
  /// for a process that finds the commit without the snapshot.
  func takeSnapshot() {
    precondition(entries.isEmpty, "what has entered before is written by itself")
    lastCommit += 1
    isSynced = false
    isDue = false
    appendSnapshot()
  }

  private func appendSnapshot() {
    sinceSnapshot = 0
    var state = StateWriter()
    let owed = tellings.all.compactMap { place -> (String, [UInt8])? in
      if case .content(let content, let path) = place.telling { (path, content) } else { nil }
    }
    state.count(owed.count)
    for (path, content) in owed {
      state.text(path)
      state.blob(content)
    }
    state.blob(durable.state())
    writer.append(
      Snapshot(
        number: lastCommit, time: present.microseconds, hash: durable.hash.value, configuration: configuration.bytes,
        state: state.bytes))
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
        main.count(.error, in: signal)
        main.report(RefusedValue(sent: value, to: name, error))
      }
    case .listening(let listens, let name):
      guard let signal = main.signal(named: name) else { return }
      if listens { main.attach(to: signal) } else { main.detach(from: signal) }
    case .loss(let event, let mirror): main.count(event, in: mirror)
    case .refusal(let refusal): main.report(refusal)
    case .content(let content, let path):
      do throws(SignalFailure) { try system.write(content, toFile: path) } catch { log(error.message) }
    case .renewal(let names, let renew): renew(main.renewal(of: Array(names)))
    case .answer(let answer): answer()
    }
  }

  // MARK: The end

  /// Whether all that has entered is on disk, and was told.
  package var isIdle: Bool { entries.isEmpty && !isDue && tellings.isEmpty && crossings.isEmpty && !isWriting }

  /// Writes what was handed over, and no more; nothing is told.
  package func abandon() {
    isOver = true
    writer.close()
  }

  /// Writes all that has entered, and tells it; this waits for the disk.
  package func finish() {
    takeCrossings()
    handOver(evenIfBusy: true)
    isOver = true
    writer.close()
    tellWritten()
  }
}
