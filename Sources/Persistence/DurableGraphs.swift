package import JSON
package import Journal
import Queues
package import ReactiveCore
package import SignalGraph

/// The durable graphs of a daemon: what enters them is written down, and nothing that they cause is told before what
/// caused it is on disk.
///
/// They run in a runtime of their own, in which the signals of all other graphs are mirrors; in the runtime of the other
/// graphs, to which clients listen, theirs are. So everything that they cause is told through mirrors and answers, which
/// wait for their commit in one line.
package final class DurableGraphs {
  /// The name of the numbering of durable signals: it belongs to the folder, and goes on with it.
  package let epoch: String
  /// The mirrors of durable signals, for the runtime of the other graphs.
  let mirrors: Mirrors
  /// Told whether what is told now was sent by a client.
  package var onSource: (Bool) -> Void = { _ in }
  /// One line for the log.
  package var log: (String) -> Void = { _ in }
  /// Why nothing can be written now; senders are refused, and the timers of durable graphs stand still.
  package internal(set) var failure: StorageError?

  /// Whether nothing will be written any more, until the daemon is started again.
  private(set) var isStuck = false

  /// Answers those who wait for the disk, which does not take it.
  func giveUp(_ error: StorageError) {
    isStuck = true
    let untold = tellings.removeAll()
    for case .answer(let answer) in untold.tellings { answer(error) }
    for (client, count) in untold.unanswered { client.isTold(count, error) }
    entries = EntryLog()
  }

  /// Whether they have ended with the daemon: nothing enters them any more.
  var isOver = false

  let writer: JournalWriter
  let system: any GraphWorld
  let world: JournalWorld
  /// The graphs; before `begin` as they were when the journal was written.
  var durable: DurableRuntime
  /// The runtime of the other graphs, from `begin` on.
  var main: GraphRuntime?
  /// The configuration that runs, with which the next snapshot is written.
  var configuration: StoredConfiguration
  /// The configuration under which the journal was written, until they begin.
  var oldConfiguration: Configuration?
  /// The signals whose state somebody had forgotten, until they begin.
  var forgotten: Set<String>
  /// The lazy signals of other graphs that count as heard, since these heard them in the process before.
  var heardBefore: Set<String> = []
  /// What was written to files and is perhaps not there, since the daemon ended before it knew.
  var owedWritings: OwedWritings
  /// How many writings were added to files since that was written down last.
  var doneAppends: UInt64 = 0
  /// Whether what happens is an entry; what a beginning or a reload does stands in the snapshot behind it.
  var isJournalling = false
  /// The clock of the durable graphs goes on over restarts: how far it is ahead of the daemon's.
  var clockOffset: Duration = .zero
  var present = EntryTime()
  /// The places of durable signals, by their mirrors.
  var placesByMirror: [ObjectIdentifier: Int] = [:]

  /// The entries of the commit that is being collected.
  var entries = EntryLog()
  /// The number of the last commit that was handed to the writer.
  var lastCommit: UInt64
  /// The number of the first commit of this process: what comes before is on disk.
  var firstCommit: UInt64
  var sinceSnapshot = 0
  /// The number of the snapshot before which nothing that follows may be written.
  var barrier: UInt64 = 0
  /// The number of the snapshot that was handed to the writer last.
  var lastSnapshotNumber: UInt64 = 0
  /// When the last snapshot was taken, in microseconds since 1970.
  var lastSnapshot: Int64 = 0
  /// How much of the past is kept.
  var history: KeptHistory
  /// The effects that are to be told.
  let tellings = Tellings()
  /// The events that the other graphs have made for these in their present turn.
  var crossings = FirstInFirstOut<(crossing: Crossing, chain: SendChain?)>()
  /// The cause of all that is told now.
  var chain: SendChain?
  /// Events that came from outside while nothing could be written and that nobody tells again, by their attachments.
  var missedEvents: [UInt64: WorldEvent] = [:]
  /// Values that came from outside while nothing could be written.
  package internal(set) var lostValues: UInt64 = 0

  init(
    _ recovered: consuming Recovered, writer: JournalWriter, epoch: String, mirrors: Mirrors,
    system: any GraphWorld, configuration: StoredConfiguration, old: Configuration?
  ) {
    oldConfiguration = old
    self.epoch = epoch
    self.mirrors = mirrors
    self.writer = writer
    self.system = system
    self.configuration = configuration
    history = KeptHistory(configuration.configuration)
    durable = recovered.durable
    owedWritings = recovered.owedWritings
    forgotten = recovered.forgotten
    lastCommit = recovered.lastCommit
    firstCommit = recovered.lastCommit + 1
    world = JournalWorld(.system(system))
  }

  /// Something that another graph has made for a durable one.
  enum Crossing {
    case event(SignalEvent, of: String)
    case value(Payload, to: String)
    case listening(Bool, to: String)
  }

  /// Programs that are ended with the graphs may say so later, and the other graphs may go on.
  deinit {
    world.detachAll()
    mirrors.disconnect()
    for signal in (main?.signals ?? []) + (main?.own.all ?? []) { signal.isReflected = false }
  }

  // MARK: Time

  /// Time goes on: timers that are due run, unless nothing can be written.
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

  /// When the next timer is due, by the daemon's clock.
  package var nextDeadline: Instant? {
    guard !isOver, failure == nil, !isBehind, let next = nextInstant else { return nil }
    return next - clockOffset
  }

  /// The same by their own clock; the civil clock is known better now than when the last entry came.
  private var nextInstant: Instant? { durable.runtime.clock.nextDeadline(atOffset: present.wallOffset) }

  // MARK: What enters

  /// Has an entry written down, and works it out.
  ///
  /// - Parameter sender: The client that sent it, if one did.
  func enter(_ entry: Entry, from sender: EntrySender? = nil) {
    tellings.time = present.microseconds
    entries.append(entry, at: present, from: sender)
    durable.perform(entry, at: present)
    entries.close(durable.hash)
  }

  /// Takes note of something that another graph has made.
  func cross(_ crossing: Crossing) { crossings.append((crossing, chain)) }

  /// Takes what other graphs have made since it was last asked.
  package func takeCrossings() {
    if crossings.isEmpty { return }
    while let (crossing, chain) = crossings.popFirst() {
      if isOver { continue }
      guard failure == nil else {
        if case .listening = crossing {} else { lostValues += 1 }
        continue
      }
      switch crossing {
      case .event(let event, let name):
        var cause = chain
        // The daemon's word on an error may be the reason for the next one.
        if let main, main.own.all.contains(where: { $0.name == name }) {
          guard let next = prolong(chain, to: name) else { continue }
          cause = next
        }
        tellings.follow(cause)
        if let place = durable.place(of: name) { enter(.crossing(event, of: place)) }
      case .value(let value, let name):
        guard let next = prolong(chain, to: name) else { continue }
        tellings.follow(next)
        bring(value, to: name)
      case .listening(let listens, let name):
        tellings.follow(chain)
        if let place = durable.place(of: name) { enter(.listening(listens, to: place)) }
      }
    }
    tellings.follow(nil)
  }

  /// The chain with one more value that is sent to the other side; `nil` where that is one too many.
  func prolong(_ chain: SendChain?, to name: String) -> SendChain? {
    switch SendChain.next(of: chain, to: name, limit: configuration.configuration.server.limits.chain) {
    case .goesOn(let next): return next
    case .isTooLong(let circle):
      if let main, let target = main.signal(named: name) { main.dropPastChain(circle, sentTo: target) }
      return nil
    }
  }

  /// A signal of another graph sends here.
  private func bring(_ value: Payload, to name: String) {
    guard let place = durable.place(of: name) else { return }
    do throws(SendError) {
      try durable.runtime.check(value, for: durable.places[Int(place)])
      tellings.touch(Int(place))
      enter(.value(value, to: place, message: nil))
    } catch {
      if let mirror = main?.signal(named: name) { tellings.append(.loss(.error, of: mirror)) }
      tellings.append(.refusal(RefusedValue(sent: value, to: name, error)))
    }
  }

  // MARK: Clients

  /// The reason why a client's message was not carried out.
  package enum Refusal: Error {
    case send(SendError)
    case storage(StorageError)
    /// The graph has taken a message of this name for another of its signals.
    case nameIsTaken
    /// The daemon ends.
    case over
  }

  /// The outcome of a client's message.
  package struct Outcome: Sendable {
    /// The number of the last value that it made on its signal, if it made one.
    package let sequence: UInt64?
    /// Whether it had been carried out before, and so did nothing.
    package let isDuplicate: Bool
  }

  /// Takes values or an ending from a client.
  ///
  /// - Parameters:
  ///   - mirror: The mirror of the signal that it is sent to.
  ///   - message: The name that the client has given its message.
  ///   - sender: The client, as the journal tells it.
  ///   - reply: The client, to be told once it is on disk, after all that it has caused was told; or with an error where
  ///     nobody can say whether it is.
  package func send(
    _ content: Content, to mirror: RunningSignal, message: String?, from sender: EntrySender?, reply: Reply
  ) throws(Refusal) {
    if isOver { throw .over }
    takeCrossings()
    if let failure { throw .storage(failure) }
    guard let index = placesByMirror[ObjectIdentifier(mirror)] else { throw .send(.ended) }
    let (signal, place) = (durable.places[index], UInt32(index))
    if let message, let earlier = durable.answer(to: message, sentTo: signal) {
      guard earlier.signal == signal.name else { throw .nameIsTaken }
      tellings.touch(index)
      return tellings.append(reply, Outcome(sequence: earlier.sequence, isDuplicate: true))
    }
    let before = signal.sequence
    do throws(SendError) {
      switch content {
      case .value(let value):
        try durable.runtime.check(value, for: signal)
        enterSent(.value(value, to: place, message: message), of: index, from: sender)
      case .values(let values):
        try durable.runtime.check(values, for: signal)
        enterSent(.values(values, to: place, message: message), of: index, from: sender)
      case .ending(let ending):
        try durable.runtime.checkEnd(of: signal)
        tellings.touch(index)
        enter(.ending(ending, of: place, message: message), from: sender)
      }
    } catch {
      throw .send(error)
    }
    var sequence: UInt64? = signal.sequence
    if content.isValue, signal.sequence == before { sequence = nil }
    tellings.append(reply, Outcome(sequence: sequence, isDuplicate: false))
  }

  private func enterSent(_ entry: Entry, of index: Int, from sender: EntrySender?) {
    tellings.touch(index)
    tellings.isSent = true
    enter(entry, from: sender)
    tellings.isSent = false
  }

  /// How a client is told that its message is on disk.
  package enum Reply {
    case answer((Result<Outcome, StorageError>) -> Void)
    /// It wants no answer, and is only counted.
    case count(any UnansweredClient)
  }

  /// The thing that a client sends.
  package enum Content {
    case value(Payload)
    case values([Payload])
    case ending(SignalEnding)

    var isValue: Bool {
      if case .ending = self { false } else { true }
    }
  }

  /// Has something told in its turn, behind all that durable graphs have caused so far.
  ///
  /// - Parameter answer: Given an error where something of that cannot be written.
  package func tellInTurn(_ answer: @escaping (StorageError?) -> Void) {
    if isOver || isStuck { answer(failure) } else { tellings.append(.answer(answer)) }
  }

  /// Starts signals anew that have ended: durable ones now, and all that clients see of them in its turn, behind what
  /// they have said before.
  ///
  /// - Parameters:
  ///   - names: Signals of all graphs.
  ///   - sender: The client that asks for it.
  ///   - renew: Starts signals anew in the runtime of the other graphs.
  /// - Returns: Whether that waits for the disk.
  package func restart(
    _ names: Set<String>, by sender: EntrySender?, renew: @escaping (Set<String>) -> Void
  ) -> Bool {
    takeCrossings()
    if isOver || failure != nil {
      renew(names.filter { main?.signal(named: $0)?.isMirror == false })
      return false
    }
    // Those that another client has had start anew are left alone, though nobody was told of that yet.
    let ended = names.filter { !runs($0) }
    let places = ended.sorted().compactMap { durable.place(of: $0) }
    if places.isEmpty, ended == names {
      renew(names)
      return false
    }
    let renewInTurn = { [unowned self] (names: Set<String>) in
      renew(names.filter { main?.signal(named: $0)?.ending != nil })
    }
    if places.isEmpty {
      tellings.append(.renewal(ended, renewInTurn))
      return true
    }
    tellings.requireSync()
    durable.onRenewal = { [unowned self] fresh in
      let durable = fresh.filter { !$0.isMirror }.map(\.name)
      tellings.append(.renewal(ended.union(durable), renewInTurn))
    }
    enter(.restart(places), from: sender)
    durable.onRenewal = { _ in }
    return true
  }

  /// Whether a durable signal has not ended, whatever clients have been told so far.
  private func runs(_ name: String) -> Bool {
    guard let place = durable.place(of: name) else { return false }
    let original = durable.places[Int(place)]
    return !original.isMirror && original.ending == nil
  }
}

extension RefusedValue {
  /// A value that was sent to a signal which does not take it.
  init(sent value: Payload, to signal: String, _ error: SendError) {
    let failure: SignalFailure
    switch error {
    case .badValue(let expected, let found):
      failure = SignalFailure(code: "bad_value", message: "\(signal) takes \(expected), not \(found)")
    case .failed(let reason): failure = reason
    case .ended, .notAnInput, .notEndable:
      failure = SignalFailure(code: "ended", message: "\(signal) takes no values any more")
    }
    self.init(signal: signal, operatorName: "send_to", value: value.value, failure: failure)
  }
}
