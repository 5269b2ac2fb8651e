import Base
package import GraphEngine
package import GraphModel
import JSON
package import Signals
package import StateLog

/// The durable graphs of a home: their inputs are logged, and no effect is released before its cause is on disk.
///
/// They run in a runtime of their own that contains the signals of all other graphs as mirrors. The runtime of the
/// ordinary graphs, which clients subscribe to, contains mirrors of theirs. So all their effects pass through mirrors and
/// replies, which wait for their commit in one queue.
package final class DurableGraphs {
  package let home: Home
  /// The epoch of the durable signals' sequence numbers; it belongs to the state log and persists with it.
  package let epoch: String
  /// All homes, for what crosses between them.
  let homes: Homes
  /// Called before each effect; true if its cause was sent by a client.
  package var onSource: (Bool) -> Void = { _ in }
  /// Restarts signals in the runtime of the other graphs, as visible to clients.
  package var restartSignals: (Set<String>) -> Void = { _ in }
  /// Called whenever so much waits in a call of a signal that its senders have to wait, and when that is over.
  package var onCongestion: (_ signal: String, Bool) -> Void = { _, _ in }
  /// The values waiting in calls, by the full names of the signals that make them.
  package var waitingCalls: [String: [WaitingCalls]] { durable.runtime.waitingCalls }
  /// The failures of sources on the network that have brought nothing since, by the full names of their signals.
  package var sourceFailures: [String: NotedFailure] { durable.runtime.sourceFailures }
  /// Logs one line.
  package var log: (String) -> Void = { _ in }
  /// The reason for failing writes; meanwhile, senders are refused and the timers of durable graphs are suspended.
  package internal(set) var failure: StorageError?

  /// True when nothing will be written until the daemon restarts.
  private(set) var isStuck = false

  /// True once pending clients were answered with an error; until the disk recovers, no client waits for it.
  private(set) var isWaitOver = false

  /// Answers the clients whose time limit for a commit has passed.
  ///
  /// Their messages are committed once that is possible, and the effects are released then; that may not happen before
  /// the daemon ends.
  package func endWait() {
    guard let failure, !isWaitOver else { return }
    isWaitOver = true
    let waiting = effects.removeAnswers()
    for answer in waiting.answers { answer(failure) }
    for (client, count) in waiting.unanswered { client.didCommit(count, in: home, failure) }
  }

  /// Resumes waiting for commits after the disk has recovered.
  func beginWait() { isWaitOver = false }

  /// Answers the clients that wait for a failed disk.
  func giveUp(_ error: StorageError) {
    isStuck = true
    let pending = effects.removeAll()
    for case .answer(let answer) in pending.effects { answer(error) }
    for (client, count) in pending.unanswered { client.didCommit(count, in: home, error) }
    entries = EntryLog()
  }

  /// True after the graphs have ended with the daemon; they accept no more input.
  var isOver = false

  let writer: any StateLogWriting
  let system: any GraphWorld
  let world: DurableWorld
  /// The graphs; before `begin`, in the state of the log.
  var durable: DurableRuntime
  /// The runtime of the ordinary graphs, set by `begin`.
  var main: GraphRuntime?
  /// True once the graphs run.
  package internal(set) var hasBegun = false
  /// True once events of other graphs arrive here.
  var isConnected = false
  /// True until `connect` if an old process has handed over the connections to other graphs.
  var isHandedOver = false
  /// The last numbers, until `connect`, that signals of other homes had here when the graphs resumed, by name.
  var reached: [String: UInt64] = [:]
  /// The signals of other graphs whose events arrive here, by name.
  var observed: Set<String> = []
  /// The lazy signals of other graphs that run for their mirrors here, by name.
  var followed: Set<String> = []
  /// The running configuration, for the next snapshot.
  var configuration: StoredConfiguration
  /// The configuration that the log was written under, until `begin`.
  var oldConfiguration: Configuration?
  /// The signals with a reset state, until `begin`.
  var discarded: Set<String>
  /// The file writes that may be incomplete since the daemon ended before their confirmation.
  var owedWritings: OwedWritings
  var completedWritings = CompletedWritings()
  /// True while inputs are logged; the effects of a start or a reload are part of the snapshot after it.
  var isLogging = false
  /// The lead of the durable graphs' clock, which continues across restarts, over the daemon's.
  var clockOffset: Duration = .zero
  var present = EntryTime()
  /// The indices of durable signals, by their mirrors.
  var placesByMirror: [ObjectIdentifier: Int] = [:]

  /// The entries of the next commit.
  var entries = EntryLog()
  /// The number of the last commit passed to the writer.
  var lastCommit: UInt64
  /// The number of the first commit of this process; earlier ones are on disk.
  var firstCommit: UInt64
  var snapshots: SnapshotSchedule
  /// The effects to be released.
  let effects = EffectOutbox()
  /// The events of other graphs for durable ones from the current turn.
  var crossings = FirstInFirstOut<(crossing: Crossing, chain: SendChain?)>()
  /// The events of other graphs that were dropped while nothing could be written.
  var missed = MissedCrossings()
  /// The cause of the effects being released, of any home.
  var chain: SendChain? {
    get { homes.chain }
    set { homes.chain = newValue }
  }
  /// The external events that arrived while nothing could be written.
  var missedEvents = MissedEvents()
  /// The number of external values lost while nothing could be written.
  package internal(set) var lostValues: UInt64 = 0

  /// Creates the graphs in the state to which a log leads; nothing runs yet.
  ///
  /// - Parameters:
  ///   - recovered: What was recovered from the log of the home.
  ///   - writer: The writer that continues the log.
  ///   - epoch: The epoch of the log.
  ///   - homes: The homes that the graphs are to use each other's signals with.
  ///   - system: The system around the graphs.
  ///   - configuration: The configuration to run.
  package init(
    _ recovered: consuming Recovered, at home: Home, writer: any StateLogWriting, epoch: String, homes: Homes,
    system: any GraphWorld, configuration: StoredConfiguration
  ) {
    self.home = home
    oldConfiguration = recovered.configuration
    self.epoch = epoch
    self.homes = homes
    self.writer = writer
    self.system = system
    self.configuration = configuration
    snapshots = SnapshotSchedule(KeptHistory(configuration.configuration.graphs(in: home)))
    durable = recovered.durable
    owedWritings = recovered.owedWritings
    discarded = recovered.discarded
    lastCommit = recovered.lastCommit
    firstCommit = recovered.lastCommit + 1
    world = DurableWorld(.system(system))
    homes.add(self)
  }

  /// An event of another graph for a durable one.
  enum Crossing {
    case event(SignalEvent, of: String)
    case value(Payload, to: String)
    /// A change in the subscribers of a lazy signal's mirror; the current state is read when it is processed.
    case listening(to: String)
  }

  deinit { close() }

  /// Returns the durable signal of a mirror in the runtime of the other graphs.
  package func original(of mirror: RunningSignal) -> RunningSignal? { durable.runtime.signal(named: mirror.name) }

  /// Indicates that events of a signal are published once their commit is on disk.
  package func hasEvents(of signal: String) -> Bool { effects.mirrorsWithEvents.contains(signal) }

  /// Notes that the source of a signal works again, although it brings nothing.
  package func endFailure(ofSource signal: String) { durable.runtime.endFailure(ofSource: signal) }

  // MARK: Time

  /// Advances the time and runs due timers, unless nothing can be written.
  ///
  /// - Parameters:
  ///   - now: By the daemon's clock.
  ///   - microseconds: Since 1970.
  package func advance(to now: Instant, _ microseconds: Int64) {
    present = EntryTime(instant: max(present.instant, now + clockOffset), microseconds: microseconds)
    takeCrossings()
    guard !isOver, failure == nil, !isBehind, let next = nextInstant, next <= present.instant else { return }
    enter(.timers)
  }

  /// The next due time of a timer, by the daemon's clock.
  package var nextDeadline: Instant? {
    guard !isOver, failure == nil, !isBehind, let next = nextInstant else { return nil }
    return next - clockOffset
  }

  /// The next due time by the graphs' clock, with the civil time of the present rather than of the last entry.
  private var nextInstant: Instant? { durable.runtime.clock.nextDeadline(atOffset: present.wallOffset) }

  // MARK: Input

  /// Logs an entry and performs it.
  ///
  /// - Parameter sender: The client that sent it, if any.
  func enter(_ entry: Entry, from sender: EntrySender? = nil) {
    effects.time = present.microseconds
    entries.append(entry, at: present, from: sender)
    durable.perform(entry, at: present)
    entries.close(durable.hash, cuts: durable.cuts)
  }

  /// Enqueues an event of another graph.
  func cross(_ crossing: Crossing) { if isConnected, !isOver { crossings.append((crossing, chain)) } }

  /// True if events of other graphs wait to be processed.
  package var hasCrossings: Bool { !crossings.isEmpty }

  /// Processes the pending events of other graphs.
  package func takeCrossings() {
    if crossings.isEmpty { return }
    while let (crossing, chain) = crossings.popFirst() {
      if isOver { continue }
      guard failure == nil else {
        miss(crossing)
        continue
      }
      switch crossing {
      case .event(let event, let name):
        var cause = chain
        // A diagnostic signal's event about an error may cause the next error.
        if let main, main.own.all.contains(where: { $0.name == name }) {
          guard let next = prolong(chain, to: name) else { continue }
          cause = next
        }
        effects.follow(cause)
        if let place = durable.place(of: name), durable.places[Int(place)].isMirror {
          enter(.crossing(event, of: place))
        }
      case .value(let value, let name):
        guard let next = prolong(chain, to: name) else { continue }
        effects.follow(next)
        bring(value, to: name)
      case .listening(let name):
        effects.follow(chain)
        takeListening(to: name)
      }
    }
    effects.follow(nil)
  }

  /// Returns the chain with one more value sent to the other side; `nil` past the limit.
  func prolong(_ chain: SendChain?, to name: String) -> SendChain? {
    switch SendChain.next(of: chain, to: name, limit: configuration.configuration.server.limits.chain) {
    case .goesOn(let next): return next
    case .isTooLong(let circle):
      if let main, let target = main.signal(named: name) { main.dropPastChain(circle, sentTo: target) }
      return nil
    }
  }

  /// Receives a value that a signal of another graph sends.
  private func bring(_ value: Payload, to name: String) {
    guard let place = durable.place(of: name) else { return }
    do throws(SendError) {
      try durable.runtime.check(value, for: durable.places[Int(place)])
      effects.touch(Int(place))
      enter(.value(value, to: place, message: nil))
    } catch {
      if let mirror = main?.signal(named: name) { effects.append(.loss(.error, of: mirror)) }
      effects.append(.refusal(RefusedValue(sent: value, to: name, error)))
    }
  }

  // MARK: Answers and restarts

  /// Runs an action in order, after all previous effects of durable graphs.
  ///
  /// - Parameter answer: Called with an error if some of those cannot be written.
  package func answerAfterCommits(_ answer: @escaping (StorageError?) -> Void) {
    if isOver || isStuck || isWaitOver { answer(failure) } else { effects.append(.answer(answer)) }
  }

  /// Restarts ended signals: durable ones now, their mirrors in order after previous effects.
  ///
  /// - Parameters:
  ///   - names: Signals of any graph.
  ///   - sender: The requesting client.
  /// - Returns: True if the restart waits for the disk; false if it concerns no signal here, or nothing can be written.
  func restart(_ names: Set<String>, by sender: EntrySender?) -> Bool {
    takeCrossings()
    if isOver || failure != nil {
      for name in names where main?.signal(named: name)?.declaration.home != home { missed.note(name) }
      return false
    }
    // Signals that another client has restarted are skipped, even if that is not yet visible.
    let ended = names.filter { !runs($0) }
    let places = ended.sorted().compactMap { durable.place(of: $0) }
    if places.isEmpty, ended == names { return false }
    if places.isEmpty { effects.append(.restart(ended, .ended)) } else { restart(places, by: sender, with: ended) }
    return true
  }

  /// Restarts ended signals, including mirrors; the restart becomes visible to clients in order.
  ///
  /// - Parameter others: Signals of the other graphs that restart with them.
  func restart(_ places: [UInt32], by sender: EntrySender? = nil, with others: Set<String> = []) {
    effects.requireSync()
    durable.onRestart = { [unowned self] fresh in
      let originals = fresh.filter(\.isOriginal).map(\.name)
      effects.append(.restart(others.union(originals), .ended))
    }
    enter(.restart(places), from: sender)
    durable.onRestart = { _ in }
  }

  /// Checks for a durable signal of this home that has not ended, regardless of released effects.
  private func runs(_ name: String) -> Bool {
    guard let place = durable.place(of: name) else { return false }
    let original = durable.places[Int(place)]
    return !original.isMirror && original.ending == nil
  }
}
