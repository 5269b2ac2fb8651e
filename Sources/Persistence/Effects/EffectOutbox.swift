import Base
import GraphEngine
import GraphModel
import StateLog

/// The pending effects of durable graphs, in order, grouped by commit.
///
/// Turns and answers append to it (`Emissions`, `DurableGraphs`, `FollowedGraphs`), and `DurableGraphs+Effects` releases the
/// batch of a commit once that is on disk. A separate object, so that the observers of signals can append to it directly.
final class EffectOutbox {
  /// A signal of the durable runtime and its mirror in the other one.
  struct MirroredSignal {
    unowned let original: RunningSignal
    let mirror: RunningSignal?
    /// True if its commits have to be synced before their effects are released.
    let isSynced: Bool
  }

  /// The effects of one commit.
  struct Batch {
    let commit: UInt64
    let isSynced: Bool
    var effects: [Effect]
    /// The clients that want no answer, and the number of their messages in the commit.
    var unanswered: [(client: any UnansweredClient, count: Int)]
    let bytes: Int
  }

  /// By the indices of the signals.
  var mirroredSignals: [MirroredSignal] = []
  /// The current time, in microseconds since 1970.
  var time: Int64 = 0
  /// True if a client sent the current input.
  var isSent = false

  /// The cause of the current effects, if it crossed from another graph.
  private var chain: SendChain?
  /// The effects of the current commit.
  private(set) var present: [Effect] = []
  private var unanswered: [(client: any UnansweredClient, count: Int)] = []
  private var presentBytes = 0
  /// True if the current commit has to be synced, and true if it is written even without entries.
  private(set) var isSynced = false
  private(set) var isDue = false
  private var waiting = FirstInFirstOut<Batch>()
  private var waitingBytes = 0
  /// The last content of each file that pending effects replace, and the number of those.
  private var owedContents: [FileWriting.Path: (content: [UInt8], count: Int)] = [:]

  var isEmpty: Bool { present.isEmpty && unanswered.isEmpty && waiting.isEmpty }
  var heldBytes: Int { presentBytes + waitingBytes }

  /// Records that the current commit involves the signal at an index.
  func touch(_ place: Int) {
    if mirroredSignals[place].isSynced { isSynced = true }
  }

  /// Forces the current commit to be synced.
  func requireSync() { isSynced = true }

  func append(_ effect: Effect) {
    presentBytes += effect.weight
    present.append(effect)
    isDue = true
  }

  /// Appends a file write.
  func append(_ writing: FileWriting) {
    if !writing.isAppended {
      owedContents[writing.path] = (writing.content, (owedContents[writing.path]?.count ?? 0) + 1)
    }
    append(.writing(writing))
  }

  /// Returns the content that a file will have after the pending writes, if one of them replaces it.
  func owedContent(of path: FileWriting.Path) -> [UInt8]? { owedContents[path]?.content }

  /// Records a client that has sent one more message, and wants no answer but that it is on disk.
  func append(unanswered client: any UnansweredClient) {
    isDue = true
    if let last = unanswered.indices.last, unanswered[last].client === client {
      unanswered[last].count += 1
    } else {
      unanswered.append((client, 1))
    }
  }

  /// Sets the cause of all following effects.
  func follow(_ chain: SendChain?) {
    if self.chain === chain { return }
    self.chain = chain
    append(.chain(chain))
  }

  /// Appends an event of the signal at an index.
  func append(_ event: SignalEvent, of place: Int) {
    guard let mirror = mirroredSignals[place].mirror else { return }
    touch(place)
    switch event {
    case .next(let payload, let sequence):
      let key = mirroredSignals[place].original.emittingKey
      append(.next(payload, sequence: sequence, of: mirror, key, at: time, isSent: isSent))
    case .ended(let ending):
      append(.ended(ending, of: mirror, at: time, cause: mirroredSignals[place].original.end?.cause))
    }
  }

  /// Closes the current commit when it is passed to the writer.
  func close(_ commit: UInt64) {
    defer { (present, unanswered, presentBytes, isSynced, isDue, chain) = ([], [], 0, false, false, nil) }
    if !present.isEmpty || !unanswered.isEmpty {
      waiting.append(
        Batch(
          commit: commit, isSynced: isSynced, effects: present, unanswered: unanswered, bytes: presentBytes))
      waitingBytes += presentBytes
    }
  }

  /// Returns the next commit whose effects may be released.
  ///
  /// - Parameters:
  ///   - written: The last commit that survives the end of the process.
  ///   - synced: The last commit that survives a power failure.
  func next(written: UInt64, synced: UInt64) -> Batch? {
    guard let first = waiting.first, (first.isSynced ? synced : written) >= first.commit else { return nil }
    _ = waiting.popFirst()
    waitingBytes -= first.bytes
    if !owedContents.isEmpty { forgetContents(of: first) }
    return first
  }

  private func forgetContents(of batch: Batch) {
    for case .writing(let writing) in batch.effects where !writing.isAppended {
      guard let (content, count) = owedContents[writing.path] else { continue }
      owedContents[writing.path] = count > 1 ? (content, count - 1) : nil
    }
  }

  /// Removes and returns all pending effects.
  func removeAll() -> (effects: [Effect], unanswered: [(client: any UnansweredClient, count: Int)]) {
    defer { (waiting, waitingBytes, owedContents) = (FirstInFirstOut(), 0, [:]) }
    close(.max)
    return (waiting.all.flatMap(\.effects), waiting.all.flatMap(\.unanswered))
  }

  /// The names of the mirrors with pending events.
  var mirrorsWithEvents: Set<String> {
    Set((waiting.all.flatMap(\.effects) + present).compactMap { $0.mirror?.name })
  }

  /// Removes and returns the pending answers; other effects stay queued.
  func removeAnswers() -> (
    answers: [(StorageError?) -> Void], unanswered: [(client: any UnansweredClient, count: Int)]
  ) {
    var answers: [(StorageError?) -> Void] = []
    changeAll { effects in
      effects.removeAll { effect in
        guard case .answer(let answer) = effect else { return false }
        answers.append(answer)
        return true
      }
    }
    var counted: [(client: any UnansweredClient, count: Int)] = []
    var rest = FirstInFirstOut<Batch>()
    while var batch = waiting.popFirst() {
      counted += batch.unanswered
      batch.unanswered = []
      rest.append(batch)
    }
    waiting = rest
    counted += unanswered
    unanswered = []
    return (answers, counted)
  }

  /// Removes and returns the pending events of some signals.
  ///
  /// - Returns: The events, each after its chain; empty if there are none.
  func takeEvents(of isTaken: (RunningSignal) -> Bool) -> [Effect] {
    var taken: [Effect] = []
    var isEmpty = true
    changeAll { effects in
      taken.append(.chain(nil))
      for effect in effects {
        if case .chain = effect { taken.append(effect) }
        guard let mirror = effect.mirror, isTaken(mirror) else { continue }
        taken.append(effect)
        isEmpty = false
      }
      if !isEmpty { effects.removeAll { $0.mirror.map(isTaken) ?? false } }
    }
    return isEmpty ? [] : taken
  }

  /// Removes signals from pending restarts, which a newer change supersedes.
  func removeRestarts(of names: Set<String>) {
    changeAll { effects in
      effects = effects.map { effect in
        guard case .restart(let restarted, let kind) = effect else { return effect }
        return .restart(restarted.subtracting(names), kind)
      }
    }
  }

  /// Modifies the pending effects, including those of the current commit.
  private func changeAll(_ change: (inout [Effect]) -> Void) {
    var changed = FirstInFirstOut<Batch>()
    while var batch = waiting.popFirst() {
      change(&batch.effects)
      changed.append(batch)
    }
    waiting = changed
    change(&present)
  }

  /// The pending file writes.
  var writings: [FileWriting] {
    (waiting.all.flatMap(\.effects) + present).compactMap {
      if case .writing(let writing) = $0 { writing } else { nil }
    }
  }
}
