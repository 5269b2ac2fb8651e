import GraphEngine
import GraphModel
import GraphTools
import JSON
import Signals

/// Durable graphs as a state machine: equal entries produce equal events, at any time and place.
final class DurableRuntime {
  let runtime: GraphRuntime
  let world: DurableWorld
  /// The time of the last entry.
  private(set) var time = EntryTime()
  /// The events of its signals.
  let emissions = Emissions()
  var hash: RollingHash { emissions.hash }
  /// The turns of the last entry that have taken too long.
  private(set) var cuts: [TurnCut] = []
  /// The client messages, by graph.
  private(set) var messages: [String: MessageLedger] = [:]
  /// The messages that have been taken in part, by graph name.
  private var progress: [String: [[UInt8]: MessageProgress]] = [:]
  /// The lazy signals with subscribers to their mirrors.
  var attended: [String] { runtime.signals.filter(\.hasObservedMirror).map(\.name) }
  /// Called when signals are added, removed or reindexed.
  var onSignals: () -> Void = {}

  /// Called for restarted signals before their first event.
  var onRestart: ([RunningSignal]) -> Void = { _ in }

  /// - Parameters:
  ///   - configuration: The part of a configuration that belongs to one home.
  ///   - isResuming: True to resume from a state; otherwise `start` starts the graphs.
  ///   - recorder: Records what happens, for explanations.
  init(
    _ configuration: Configuration, world: DurableWorld, mirrors: Mirrors, isResuming: Bool,
    recorder: ProvenanceRecorder? = nil
  ) {
    self.world = world
    runtime = GraphRuntime(
      configuration, world: world, now: .zero, wallOffset: 0, mirrors: mirrors, keepsState: true,
      isResuming: isResuming, recorder: recorder)
    adoptSignals()
  }

  deinit { runtime.stop() }

  /// Returns the mirrors in the durable graphs of a home: all other signals except cold ones, which run there.
  static func mirrors(in home: Home) -> Mirrors { Mirrors { $0.home != home && !$0.isCold } }

  // MARK: Entries

  /// Limits the time of turns by a clock, for entries that are performed for the first time.
  func limitTurns(by clock: TurnClock) {
    runtime.limitTurns(by: clock.now, interval: clock.interval) { [unowned self] in cuts.append($0) }
  }

  /// Performs an entry.
  ///
  /// - Parameter cuts: The turns that took too long when it was performed first.
  func perform(_ entry: Entry, at time: EntryTime, repeating cuts: [TurnCut] = []) {
    self.cuts = []
    runtime.beginInput(repeating: cuts)
    advance(to: time)
    switch entry {
    case .value(let value, let place, let message):
      guard let signal = signal(at: place) else { return }
      let before = signal.sequence
      // A value is checked before it is logged, but for a file at the time of the entry before; earlier versions logged
      // all those that a file cannot take.
      do throws(SendError) { try runtime.send(value, to: signal) } catch { refuse([value], for: signal, error) }
      note(message, on: signal, since: before)
    case .values(let values, let place, let message):
      guard let signal = signal(at: place) else { return }
      let before = signal.sequence
      // The same applies here, and an ending among several values ends them too.
      var taken = 0
      do throws(SendError) { try runtime.send(values, to: signal, taken: &taken) } catch {
        refuse(values[taken...], for: signal, error)
      }
      note(message, on: signal, since: before)
    case .ending(let ending, let place, let message):
      guard let signal = signal(at: place) else { return }
      try? runtime.end(signal, with: ending)
      note(message, on: signal, since: nil)
    case .timers: runtime.advance(to: time.instant)
    case .crossing(let event, let place):
      if let signal = signal(at: place) { runtime.reflect(event, in: signal, at: time.microseconds) }
    case .listening(let listens, let place):
      if let signal = signal(at: place) { observe(signal, listens) }
    case .restart(let places):
      runtime.restart(places.compactMap { signal(at: $0)?.name }) { [self] replacement in
        adoptSignals()
        onRestart(replacement.fresh)
      }
    case .world(let event, let number): world.deliver(event, to: number)
    case .progress(let message, let place, let count, let sequence):
      if let signal = signal(at: place) {
        note(MessageProgress(signal: signal.name, count: count, sequence: sequence), of: message)
      }
    case .content, .appended, .replaced: break
    }
  }

  /// Counts and reports values that a signal does not take: the first for a reason, the others since they are behind it.
  private func refuse(_ values: ArraySlice<Payload>, for signal: RunningSignal, _ reason: SendError) {
    var reason = reason
    for value in values {
      let refusal = RefusedValue(sent: value, to: signal.name, reason, by: signal.declaration.body.source.name)
      runtime.count(.error, in: signal)
      runtime.report(refusal)
      reason = .failed(
        SignalFailure(code: refusal.failure.code, message: "an earlier value of the same list was refused"))
    }
  }

  /// Advances the clocks past a skipped entry.
  func pass(to time: EntryTime) { advance(to: time) }

  /// Advances the clocks without running due timers.
  private func advance(to time: EntryTime) {
    // Most entries share an iteration of the event loop with their predecessor.
    if time == self.time { return }
    self.time = time
    runtime.clock.measuredTime = time.microseconds
    runtime.clock.skip(to: time.instant)
    runtime.clock.wallOffset = time.wallOffset
  }

  private func observe(_ signal: RunningSignal, _ listens: Bool) {
    // A reload may have made it a mirror since.
    if signal.isLazy, !signal.isMirror { runtime.setMirror(of: signal, isObserved: listens) }
  }

  /// Returns the answer to a message that was performed before, and is still remembered at a time.
  func answer(to message: String, sentTo signal: RunningSignal, at time: Int64) -> MessageLedger.Answer? {
    let graph = SignalName.graph(of: signal.name)
    return messages[graph]?.answer(to: message, at: time, within: messageBounds(of: graph))
  }

  private func messageBounds(of graph: String) -> Durability.MessageIDs {
    let declared = runtime.configuration.graphs.first { $0.name == graph }?.durability?.messageIDs
    return declared ?? Durability().messageIDs
  }

  private func note(_ message: String?, on signal: RunningSignal, since before: UInt64?) {
    guard let message else { return }
    let graph = SignalName.graph(of: signal.name)
    let earlier = progress[graph]?.removeValue(forKey: Array(message.utf8))
    let sequence = before.map { signal.sequence > $0 ? signal.sequence : earlier?.sequence } ?? signal.sequence
    messages[graph, default: MessageLedger()].note(
      message, MessageLedger.Answer(signal: signal.name, sequence: sequence), at: time.microseconds,
      within: messageBounds(of: graph))
  }

  /// Removes the record of client messages to a graph, so that they can be sent again.
  func removeMessages(of graph: String) {
    messages[graph] = nil
    progress[graph] = nil
  }

  /// The progress of a message that has been taken in part.
  func progress(of message: String, sentTo signal: RunningSignal) -> MessageProgress? {
    progress[SignalName.graph(of: signal.name)]?[Array(message.utf8)]
  }

  private func note(_ step: MessageProgress, of message: String) {
    let graph = SignalName.graph(of: step.signal)
    let key = Array(message.utf8)
    if progress[graph]?[key] == nil, let others = progress[graph], others.count >= MessageProgress.most {
      if let first = others.keys.min(by: { $0.lexicographicallyPrecedes($1) }) { progress[graph]?[first] = nil }
    }
    progress[graph, default: [:]][key] = step
  }

  // MARK: Signals

  /// The signals in the order of the configuration; the daemon's own are last.
  private(set) var places: [RunningSignal] = []
  private var placesByName: [String: UInt32] = [:]

  private func signal(at place: UInt32) -> RunningSignal? {
    places.indices.contains(Int(place)) ? places[Int(place)] : nil
  }

  func place(of name: String) -> UInt32? { placesByName[name] }

  /// Observes exactly the current durable signals: an observer from before a reload would report its events under an
  /// index that belongs to another signal by now.
  private func adoptSignals() {
    places = runtime.signals + runtime.own.all
    placesByName = Dictionary(uniqueKeysWithValues: places.enumerated().map { ($1.name, UInt32($0)) })
    for (place, signal) in places.enumerated() {
      signal.observer = signal.isOriginal ? { [emissions] in emissions.take($0, of: place) } : nil
    }
    onSignals()
  }

  // MARK: Starting and changing

  /// Starts the graphs without a state.
  ///
  /// - Parameter numbers: The sequence numbers after which signals continue.
  func start(numbers: [String: UInt64], at time: EntryTime) {
    advance(to: time)
    for signal in runtime.signals { signal.skipNumbers(to: numbers[signal.name] ?? 0) }
    runtime.start()
  }

  /// Adopts another configuration by the rules of a reload.
  ///
  /// - Parameters:
  ///   - numbers: The sequence numbers after which new signals continue.
  ///   - attended: The lazy signals with subscribers to their mirrors.
  func reload(
    _ configuration: Configuration, as changes: ConfigurationChanges, numbers: [String: UInt64],
    attended: Set<String>, at time: EntryTime
  ) {
    advance(to: time)
    runtime.reload(configuration, as: changes) { replacement in
      for signal in replacement.fresh { signal.skipNumbers(to: numbers[signal.name] ?? 0) }
      for signal in runtime.signals where !signal.isMirror {
        runtime.setMirror(of: signal, isObserved: signal.isLazy && attended.contains(signal.name))
      }
      adoptSignals()
    }
  }

  // MARK: State

  /// Encodes the complete state for resuming elsewhere.
  func state() -> [UInt8] {
    var writer = StateEncoder()
    writer.byte(runtime.rules.rawValue)
    time.encode(to: &writer, after: EntryTime())
    writer.bits(hash.value)
    writer.number(world.lastNumber)
    attended.sorted().encode(to: &writer)
    writer.count(messages.count)
    for (graph, ledger) in messages.sorted(by: { $0.key < $1.key }) {
      writer.text(graph)
      ledger.encode(to: &writer)
    }
    writer.blob(runtime.state())
    storeProgress(in: &writer)
    return writer.bytes
  }

  /// Encodes messages in progress; nothing if there are none, as states were before these existed.
  private func storeProgress(in writer: inout StateEncoder) {
    let progress = progress.filter { !$0.value.isEmpty }.sorted { $0.key < $1.key }
    if progress.isEmpty { return }
    writer.count(progress.count)
    for (graph, messages) in progress {
      writer.text(graph)
      writer.count(messages.count)
      for (message, step) in messages.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
        writer.blob(message)
        step.encode(to: &writer)
      }
    }
  }

  private func restoreProgress(from reader: inout StateDecoder) throws(StateError) {
    for _ in 0..<(try reader.count()) {
      let graph = try reader.text()
      for _ in 0..<(try reader.count()) {
        let message = Array(try reader.blob())
        progress[graph, default: [:]][message] = try MessageProgress(from: &reader)
      }
    }
  }

  /// The extent to which the surroundings of the graphs persist.
  enum Surroundings {
    /// All of it: recorded external events and subscribers.
    case recorded
    /// Subscribers and the signals of other graphs persist; external sources restart.
    case handedOver
    /// Nothing persists.
    case anew

    var listenersResume: Bool { self != .anew }
  }

  /// Resumes from a state, in place of `start`.
  ///
  /// - Parameter isPart: True if the state may contain other signals, which are left out.
  func resume(_ state: [UInt8], _ surroundings: Surroundings, isPart: Bool = false) throws(StateError) {
    var reader = StateDecoder(state)
    // The format of the state changes with the rules.
    guard let rules = GraphRules(rawValue: try reader.byte()) else { throw StateError("unsupported state version") }
    runtime.rules = surroundings == .recorded ? rules : .present
    let time = try EntryTime(from: &reader, after: EntryTime())
    emissions.hash = RollingHash(try reader.bits())
    world.restore(lastNumber: try reader.number())
    world.restarts = surroundings != .recorded
    let attended = try [String](from: &reader)
    for _ in 0..<(try reader.count()) {
      let graph = try reader.text()
      messages[graph] = try MessageLedger(from: &reader)
    }
    let graphs = Array(try reader.blob())
    if !reader.isAtEnd { try restoreProgress(from: &reader) }
    if !reader.isAtEnd { throw StateError("unexpected data after the end") }
    advance(to: time)
    try runtime.resume(graphs, isPart: isPart) {
      guard surroundings.listenersResume else { return }
      for name in attended {
        if let signal = runtime.signal(named: name) { observe(signal, true) }
      }
    }
    world.restarts = true
    if !surroundings.listenersResume { restartMirrors() }
  }

  /// Restarts ended mirrors of ordinary signals, which restart with the daemon.
  private func restartMirrors() {
    let ended = places.filter { !$0.declaration.isDurable && $0.isMirror && $0.ending != nil }
    if !ended.isEmpty { runtime.restartSignals(Set(ended.map(\.name))) }
  }
}

extension RunningSignal {
  /// True if it is a durable signal of the home that this runtime belongs to.
  var isOriginal: Bool { declaration.isDurable && !isMirror }
}
