import Queues
import SignalGraph

/// The effects of durable graphs that nobody has been told, in their order, by commits.
///
/// It is an object by itself, which the observers of signals hold: there is nothing between an event and its place in
/// the line.
final class Tellings {
  /// A signal of the durable runtime as the other one sees it.
  struct Seat {
    unowned let original: RunningSignal
    let mirror: RunningSignal?
    /// Whether its commits have to be synced before they are told.
    let isSynced: Bool
  }

  /// The effects of one commit.
  struct Batch {
    let commit: UInt64
    let isSynced: Bool
    var tellings: [Telling]
    /// The clients who want no answer to what they have sent, and how many of their messages are in it.
    let unanswered: [(client: any UnansweredClient, count: Int)]
    let bytes: Int
  }

  /// By the places of the signals.
  var seats: [Seat] = []
  /// When what happens now happens, in microseconds since 1970.
  var time: Int64 = 0
  /// Whether it was sent by a client.
  var isSent = false

  /// The cause of all that is appended now, as far as it crossed from another graph.
  private var chain: SendChain?
  private var present: [Telling] = []
  private var unanswered: [(client: any UnansweredClient, count: Int)] = []
  private var presentBytes = 0
  /// Whether the present commit has to be synced, and whether it is written though nothing has entered.
  private(set) var isSynced = false
  private(set) var isDue = false
  private var waiting = FirstInFirstOut<Batch>()
  private var waitingBytes = 0

  var isEmpty: Bool { present.isEmpty && unanswered.isEmpty && waiting.isEmpty }
  var heldBytes: Int { presentBytes + waitingBytes }

  /// Takes note that the present commit holds something of the signal at a place.
  func touch(_ place: Int) {
    if seats[place].isSynced { isSynced = true }
  }

  /// Has the present commit synced, whatever is in it.
  func requireSync() { isSynced = true }

  func append(_ telling: Telling) {
    presentBytes += telling.weight
    present.append(telling)
    isDue = true
  }

  /// Takes note of a client that waits until its message is on disk.
  func append(_ reply: DurableGraphs.Reply, _ outcome: DurableGraphs.Outcome) {
    switch reply {
    case .answer(let answer): append(.answer { error in answer(error.map { .failure($0) } ?? .success(outcome)) })
    case .count(let client):
      isDue = true
      if let last = unanswered.indices.last, unanswered[last].client === client {
        unanswered[last].count += 1
      } else {
        unanswered.append((client, 1))
      }
    }
  }

  /// All that is appended from now on was caused by a value that crossed from another graph, or by none.
  func follow(_ chain: SendChain?) {
    if self.chain === chain { return }
    self.chain = chain
    append(.chain(chain))
  }

  /// Takes in an event of the signal at a place.
  func append(_ event: SignalEvent, of place: Int) {
    guard let mirror = seats[place].mirror else { return }
    touch(place)
    switch event {
    case .next(let payload, let sequence):
      append(.next(payload, sequence: sequence, of: mirror, at: time, isSent: isSent))
    case .ended(let ending): append(.ended(ending, of: mirror, at: time, cause: seats[place].original.end?.cause))
    }
  }

  /// The present commit is handed to the writer.
  ///
  /// - Returns: Whether it has to be synced.
  func close(_ commit: UInt64) -> Bool {
    defer { (present, unanswered, presentBytes, isSynced, isDue, chain) = ([], [], 0, false, false, nil) }
    if !present.isEmpty || !unanswered.isEmpty {
      waiting.append(
        Batch(
          commit: commit, isSynced: isSynced, tellings: present, unanswered: unanswered, bytes: presentBytes))
      waitingBytes += presentBytes
    }
    return isSynced
  }

  /// The next commit that may be told.
  ///
  /// - Parameters:
  ///   - written: The last commit that outlives the process.
  ///   - synced: The last commit that outlives a power cut.
  func next(written: UInt64, synced: UInt64) -> Batch? {
    guard let first = waiting.first, (first.isSynced ? synced : written) >= first.commit else { return nil }
    _ = waiting.popFirst()
    waitingBytes -= first.bytes
    return first
  }

  /// Takes out all that is not told yet.
  func removeAll() -> (tellings: [Telling], unanswered: [(client: any UnansweredClient, count: Int)]) {
    defer { (waiting, waitingBytes) = (FirstInFirstOut(), 0) }
    _ = close(.max)
    return (waiting.all.flatMap(\.tellings), waiting.all.flatMap(\.unanswered))
  }

  /// Takes the events of some signals out of the line.
  func takeEvents(of isTaken: (RunningSignal) -> Bool) -> [Telling] {
    var taken: [Telling] = []
    changeAll { tellings in
      taken += tellings.filter { $0.mirror.map(isTaken) ?? false }
      tellings.removeAll { $0.mirror.map(isTaken) ?? false }
    }
    return taken
  }

  /// Lets these signals not start anew once that is told: something else has happened to them.
  func forgetRenewals(of names: Set<String>) {
    changeAll { tellings in
      tellings = tellings.map { telling in
        guard case .renewal(let renewed, let renew) = telling else { return telling }
        return .renewal(renewed.subtracting(names), renew)
      }
    }
  }

  /// Changes what waits, and what the present commit is to tell.
  private func changeAll(_ change: (inout [Telling]) -> Void) {
    var changed = FirstInFirstOut<Batch>()
    while var batch = waiting.popFirst() {
      change(&batch.tellings)
      changed.append(batch)
    }
    waiting = changed
    change(&present)
  }

  /// What is to be written to files.
  var writings: [FileWriting] {
    (waiting.all.flatMap(\.tellings) + present).compactMap {
      if case .writing(let writing) = $0 { writing } else { nil }
    }
  }
}
