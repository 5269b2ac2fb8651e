import JSON
import ReactiveCore
import SignalGraph

/// Durable graphs at work, from one entry to the next: the same entries make it emit the same, whenever and wherever.
final class DurableRuntime {
  let runtime: GraphRuntime
  let world: JournalWorld
  /// When the last entry came.
  private(set) var time = EntryTime()
  /// The events of its signals.
  let emissions = Emissions()
  var hash: RollingHash { emissions.hash }
  /// The messages of clients, by the names of their graphs.
  private(set) var messages: [String: MessageLedger] = [:]
  /// The lazy signals to which somebody outside listens.
  private(set) var heard: Set<String> = []
  /// Told that there are other signals than before, or that they stand at other places.
  var onSignals: () -> Void = {}

  /// Told of signals that start anew, before they say anything.
  var onRenewal: ([RunningSignal]) -> Void = { _ in }

  /// - Parameters:
  ///   - configuration: The durable part of a configuration.
  ///   - isResuming: Whether it goes on from a state; else `start` begins it.
  ///   - watch: Notes what happens, for somebody who looks back.
  init(
    _ configuration: Configuration, world: JournalWorld, mirrors: Mirrors, isResuming: Bool, watch: Watch? = nil
  ) {
    self.world = world
    runtime = GraphRuntime(
      configuration, world: world, now: .zero, wallOffset: 0, mirrors: mirrors, keepsState: true,
      isResuming: isResuming, watch: watch)
    adoptSignals()
  }

  deinit { runtime.stop() }

  /// The mirrors in durable graphs: all that is not durable itself, but for cold signals, which run in theirs.
  static func mirrors() -> Mirrors { Mirrors { !$0.isDurable && !$0.isCold } }

  // MARK: Entries

  /// Works out an entry.
  func perform(_ entry: Entry, at time: EntryTime) {
    advance(to: time)
    switch entry {
    case .value(let value, let place, let message):
      guard let signal = signal(at: place) else { return }
      let before = signal.sequence
      // One that does not fit was refused before it was written.
      try? runtime.send(value, to: signal)
      note(message, on: signal, since: before)
    case .values(let values, let place, let message):
      guard let signal = signal(at: place) else { return }
      let before = signal.sequence
      // Values that do not fit were refused before they were written; an ending in the midst of several ends them too.
      try? runtime.send(values, to: signal)
      note(message, on: signal, since: before)
    case .ending(let ending, let place, let message):
      guard let signal = signal(at: place) else { return }
      try? runtime.end(signal, with: ending)
      note(message, on: signal, since: nil)
    case .timers: runtime.advance(to: time.instant)
    case .crossing(let event, let place):
      if let signal = signal(at: place) { runtime.reflect(event, in: signal, at: time.microseconds) }
    case .listening(let listens, let place):
      if let signal = signal(at: place) { hear(signal, listens) }
    case .restart(let places):
      runtime.restart(places.compactMap { signal(at: $0)?.name }) { [self] replacement in
        adoptSignals()
        onRenewal(replacement.fresh)
      }
    case .world(let event, let number): world.deliver(event, to: number)
    case .content, .appended: break
    }
  }

  /// Moves its clocks on, without anything running that is due.
  private func advance(to time: EntryTime) {
    // Most entries come in one turn of the loop with the one before.
    if time == self.time { return }
    self.time = time
    runtime.clock.measuredTime = time.microseconds
    runtime.clock.skip(to: time.instant)
    runtime.clock.wallOffset = time.wallOffset
  }

  private func hear(_ signal: RunningSignal, _ listens: Bool) {
    guard signal.isLazy, listens ? heard.insert(signal.name).inserted : heard.remove(signal.name) != nil else { return }
    if listens { runtime.attach(to: signal) } else { runtime.detach(from: signal) }
  }

  /// The answer to a message that was carried out before.
  func answer(to message: String, sentTo signal: RunningSignal) -> MessageLedger.Answer? {
    messages[SignalName.graph(of: signal.name)]?.answer(to: message)
  }

  private func note(_ message: String?, on signal: RunningSignal, since before: UInt64?) {
    guard let message else { return }
    let graph = SignalName.graph(of: signal.name)
    let sequence = before.map { signal.sequence > $0 ? signal.sequence : nil } ?? signal.sequence
    let bounds = runtime.configuration.graphs.first { $0.name == graph }?.durability?.messageIDs
    messages[graph, default: MessageLedger()].note(
      message, MessageLedger.Answer(signal: signal.name, sequence: sequence), at: time.microseconds,
      within: bounds ?? Durability().messageIDs)
  }

  /// Forgets what clients have sent into a graph, so that they may send it again.
  func forgetMessages(of graph: String) { messages[graph] = nil }

  // MARK: Signals

  /// The signals in the order of the configuration, the daemon's own last.
  private(set) var places: [RunningSignal] = []
  private var placesByName: [String: UInt32] = [:]

  private func signal(at place: UInt32) -> RunningSignal? {
    places.indices.contains(Int(place)) ? places[Int(place)] : nil
  }

  func place(of name: String) -> UInt32? { placesByName[name] }

  /// Listens to all durable signals that there are now.
  private func adoptSignals() {
    places = runtime.signals + runtime.own.all
    placesByName = Dictionary(uniqueKeysWithValues: places.enumerated().map { ($1.name, UInt32($0)) })
    for (place, signal) in places.enumerated() where signal.declaration.isDurable {
      signal.observer = { [emissions] event in emissions.take(event, of: place) }
    }
    onSignals()
  }

  // MARK: Beginning and changing

  /// Begins, where there is no state.
  ///
  /// - Parameter numbers: The numbers above which signals count.
  func start(numbers: [String: UInt64], at time: EntryTime) {
    advance(to: time)
    for signal in runtime.signals { signal.skipNumbers(to: numbers[signal.name] ?? 0) }
    runtime.start()
  }

  /// Takes another configuration over, by the rules of a reload.
  ///
  /// - Parameter numbers: The numbers above which signals count that begin afresh.
  func reload(
    _ configuration: Configuration, as changes: ConfigurationChanges, numbers: [String: UInt64], at time: EntryTime
  ) {
    advance(to: time)
    runtime.reload(configuration, as: changes) { replacement in
      for signal in replacement.fresh { signal.skipNumbers(to: numbers[signal.name] ?? 0) }
      adoptSignals()
    }
    heard = heard.filter { placesByName[$0] != nil }
  }

  // MARK: State

  /// All that it needs to go on elsewhere.
  func state() -> [UInt8] {
    var writer = StateWriter()
    writer.byte(Self.version)
    time.store(in: &writer, after: EntryTime())
    writer.bits(hash.value)
    writer.number(world.lastNumber)
    heard.sorted().store(in: &writer)
    writer.count(messages.count)
    for (graph, ledger) in messages.sorted(by: { $0.key < $1.key }) {
      writer.text(graph)
      ledger.store(in: &writer)
    }
    writer.blob(runtime.state())
    return writer.bytes
  }

  private static let version: UInt8 = 1

  /// How much of what is around the graphs goes on with them.
  enum Surroundings {
    /// All of it: the world tells what it told, and who listened listens.
    case recorded
    /// Who listened listens, and the signals of other graphs go on; what comes from the world begins anew.
    case handedOver
    /// All of it begins anew.
    case anew

    var listenersGoOn: Bool { self != .anew }
  }

  /// Goes on from a state, in place of `start`.
  func resume(_ state: [UInt8], _ surroundings: Surroundings) throws(StateError) {
    var reader = StateReader(state)
    guard try reader.byte() == Self.version else { throw StateError("it has another form") }
    let time = try EntryTime(from: &reader, after: EntryTime())
    emissions.hash = RollingHash(try reader.bits())
    world.restore(lastNumber: try reader.number())
    world.beginsAnew = surroundings != .recorded
    let heard = try [String](from: &reader)
    for _ in 0..<(try reader.count()) {
      let graph = try reader.text()
      messages[graph] = try MessageLedger(from: &reader)
    }
    let graphs = Array(try reader.blob())
    if !reader.isAtEnd { throw StateError("something follows it") }
    advance(to: time)
    try runtime.resume(graphs) {
      guard surroundings.listenersGoOn else { return }
      for name in heard {
        if let signal = runtime.signal(named: name) { hear(signal, true) }
      }
    }
    world.beginsAnew = true
    if !surroundings.listenersGoOn { renewMirrors() }
  }

  /// The signals of other graphs begin anew with the daemon: those that had ended are heard again.
  private func renewMirrors() {
    let ended = places.filter { $0.isMirror && $0.ending != nil }
    if !ended.isEmpty { runtime.renew(Set(ended.map(\.name))) }
  }
}
