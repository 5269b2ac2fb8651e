package import GraphEngine
package import GraphModel
import JSON
import Signals
package import StateLog

/// The durable graphs of a home that another node runs: a replay of their log, whose events clients of this node see.
///
/// It computes what the owner has computed and checks that by the log's hashes, so that this node can continue at once.
/// It does nothing outside: the effects of the graphs are the owner's.
package final class FollowedGraphs {
  private let home: Home
  private let main: GraphRuntime
  /// The configuration of this node, for a new log.
  private let configuration: Configuration
  private var replay: Replay?
  private let effects = EffectOutbox()
  /// The number of the last commit whose events the mirrors have emitted.
  package private(set) var told: UInt64
  /// The commit at which clients continue that have received other events since.
  private var returnsAt: UInt64?
  /// Restarts signals in the runtime of the other graphs, as visible to clients.
  package var restartSignals: (Set<String>) -> Void = { _ in }

  /// - Parameters:
  ///   - main: The runtime of the other graphs, with mirrors of these.
  ///   - configuration: That of this node, for a new log.
  ///   - told: The number of the last commit whose events the mirrors have emitted; 0 if they know nothing of the log.
  package init(at home: Home, main: GraphRuntime, under configuration: Configuration, told: UInt64) {
    (self.home, self.main, self.configuration, self.told) = (home, main, configuration, told)
  }

  /// Takes note that clients have received the events of the log up to a commit, though its mirrors have served others since.
  package func skip(to commit: UInt64) { (told, returnsAt) = (max(told, commit), commit) }

  /// Brings mirrors that have served others to the state that clients last saw of the log, without an event.
  private func adoptReturned(at commit: UInt64) {
    guard returnsAt == commit, let replay else { return }
    returnsAt = nil
    mirror(replay)
    for original in replay.durable.places where original.isOriginal {
      mirror(of: original)?.adopt(original, onlyNumber: false, isDelivered: false, ahead: .zero)
    }
  }

  /// Begins with the newest snapshot of a log; `nil` for a new log.
  ///
  /// - Parameter emitted: The events that the snapshot publishes, if it stands in the place of a commit.
  package func recover(_ snapshot: Snapshot?, emitted: [UInt8]) throws(StorageError) {
    release()
    guard let snapshot else { return }
    let replay = try Replay(snapshot) { [home] bytes throws(StateError) in
      try ReplayedConfiguration(bytes: bytes, in: home)
    }
    self.replay = replay
    listen(to: replay)
    adoptReturned(at: snapshot.number)
    guard snapshot.number > told else { return }
    if snapshot.number == told + 1 { try reflect(emitted, of: replay) }
    told = snapshot.number
    adoptState()
  }

  /// Replays the next commit, and emits its events.
  package func take(_ commit: Commit) throws(StorageError) {
    guard let replay else { throw StorageError(.damaged, "commit \(commit.number) follows no snapshot") }
    guard commit.number > replay.lastCommit else { return }
    try replay.work(out: commit)
    effects.close(commit.number)
    let isNew = commit.number > told
    told = max(told, commit.number)
    while let batch = effects.next(written: .max, synced: .max) {
      if isNew { for effect in batch.effects { emit(effect) } }
    }
    adoptReturned(at: commit.number)
  }

  /// Brings the mirrors to the state of the log: after a snapshot, and where a reload has replaced some.
  package func adoptState() {
    guard let replay else { return }
    mirror(replay)
    // Clients know more than a replay that is still behind.
    guard replay.lastCommit == told else { return }
    let originals = replay.durable.places.filter(\.isOriginal)
    let restarted = originals.filter { original in
      original.ending == nil && main.signal(named: original.name)?.ending != nil
    }
    if !restarted.isEmpty { restartSignals(Set(restarted.map(\.name))) }
    for original in originals { if let mirror = mirror(of: original) { adopt(original, in: mirror) } }
  }

  /// Returns the graphs in the state of the last commit; nothing is followed from then on.
  package func finish() -> Recovered {
    defer { release() }
    return replay.map(Recovered.init) ?? Recovered(new: configuration, in: home)
  }

  // MARK: Mirrors

  private func mirror(of original: RunningSignal) -> RunningSignal? {
    guard let mirror = main.signal(named: original.name), mirror.isMirror, mirror.declaration.home == home else {
      return nil
    }
    return mirror
  }

  private func mirror(_ replay: Replay) {
    effects.mirroredSignals = replay.durable.places.map { signal in
      EffectOutbox.MirroredSignal(
        original: signal, mirror: signal.isOriginal ? mirror(of: signal) : nil, isSynced: false)
    }
  }

  private func listen(to replay: Replay) {
    mirror(replay)
    replay.onEntry = { [effects] _, time in effects.time = time.microseconds }
    let durable = replay.durable
    durable.emissions.effects = effects
    durable.onRestart = { [effects] fresh in
      effects.append(.restart(Set(fresh.filter(\.isOriginal).map(\.name)), .ended))
    }
    durable.runtime.onHolding = { [unowned self] in if let mirror = mirror(of: $0) { effects.append(.holding(mirror)) }
    }
    durable.runtime.onKeyEnd = { [unowned self] signal, key in
      if let mirror = mirror(of: signal) { effects.append(.keyEnd(key, of: mirror)) }
    }
    durable.runtime.onLoss = { [unowned self] signal, event in
      if let mirror = mirror(of: signal) { effects.append(.loss(event, of: mirror)) }
    }
  }

  private func release() {
    guard let replay = replay.take() else { return }
    replay.onEntry = { _, _ in }
    let durable = replay.durable
    durable.emissions.effects = nil
    durable.onRestart = { _ in }
    durable.runtime.onHolding = { _ in }
    durable.runtime.onKeyEnd = { _, _ in }
    durable.runtime.onLoss = { _, _ in }
    effects.mirroredSignals = []
  }

  // MARK: Events

  private func emit(_ effect: Effect) {
    switch effect {
    case .next(let payload, let sequence, let mirror, let key, let time, _):
      main.reflect(.next(payload, sequence: sequence), in: mirror, of: key, at: time)
    case .ended(let ending, let mirror, let time, let cause):
      main.reflect(.ended(ending), in: mirror, at: time, cause: cause)
    case .holding(let mirror): mirror.holdNewest()
    case .keyEnd(let key, let mirror): mirror.metric?.end(key)
    case .loss(let event, let mirror): main.count(event, in: mirror)
    case .restart(let names, _):
      // With what is computed from them here; signals of other homes restart with commits of their own.
      let restarted = main.restartSet(of: Array(names)).compactMap(main.signal)
      restartSignals(
        Set(restarted.filter { $0.ending != nil && (!$0.isMirror || $0.declaration.home == home) }.map(\.name)))
    // The others are the owner's.
    case .value, .listening, .refusal, .writing, .external, .actionEvent, .chain, .answer: break
    }
  }

  /// Emits the events of a snapshot that stands in the place of a commit.
  private func reflect(_ emitted: [UInt8], of replay: Replay) throws(StorageError) {
    var decoder = StateDecoder(emitted)
    do throws(StateError) {
      while !decoder.isAtEnd {
        let event = try EmittedEvent(from: &decoder)
        let places = replay.durable.places
        guard places.indices.contains(Int(event.place)), let mirror = mirror(of: places[Int(event.place)]) else {
          continue
        }
        if case .next(_, let sequence) = event.event, sequence <= mirror.sequence { continue }
        main.reflect(event.event, in: mirror, at: event.time)
      }
    } catch {
      throw StorageError(.damaged, "events of snapshot \(replay.lastCommit): \(error.message)")
    }
  }

  /// Emits what a mirror has missed and its original still has; a mirror of another history adopts its state.
  private func adopt(_ original: RunningSignal, in mirror: RunningSignal) {
    if mirror.sequence > original.sequence {
      return mirror.adopt(original, onlyNumber: false, isDelivered: false, ahead: .zero)
    }
    if original.keepsNewest, !mirror.keepsNewest { mirror.holdNewest() }
    let missed = original.retained.latest(original.retained.count).filter { $0.sequence > mirror.sequence }
    for entry in missed { main.reflect(.next(entry.payload, sequence: entry.sequence), in: mirror, at: entry.time) }
    mirror.skipNumbers(to: original.sequence)
    if let ending = original.ending, mirror.ending == nil {
      main.reflect(.ended(ending), in: mirror, at: main.clock.microseconds)
    }
  }
}
