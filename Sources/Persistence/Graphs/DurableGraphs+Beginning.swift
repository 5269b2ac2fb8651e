import Base
package import GraphEngine
package import GraphModel
import JSON
package import Signals
package import StateLog

// The start of durable graphs and their changes of configuration.

extension DurableGraphs {
  /// Opens a folder and recovers the state of the graphs at the last commit.
  ///
  /// - Parameters:
  ///   - home: The home whose state log the folder holds.
  ///   - homes: All homes, for what crosses between them.
  ///   - configuration: The configuration to run.
  ///   - system: The system around the graphs.
  ///   - progressed: Called from time to time with the number of entries replayed.
  ///   - copied: Called with the new epoch if the folder is a copy of another one or was restored from a backup.
  ///   - written: Called on a thread of its own after each progress of the writer; then `effects` are to be released.
  package convenience init(
    folder path: String, of home: Home = .folder, in homes: Homes, _ configuration: StoredConfiguration,
    system: any GraphWorld, progressed: (Int) -> Void, copied: (String) -> Void, written: @escaping @Sendable () -> Void
  ) throws(StorageError) {
    let folder = try StateFolder(path)
    let recovered: Recovered
    do throws(StorageError) {
      recovered = try Recovered(from: folder, of: home, configuration.configuration, progressed: progressed)
    } catch {
      // The state log is intact, but its replay diverges.
      throw error.description.contains(path) ? error : StateFolder.divergence(of: path, error.description)
    }
    if folder.isCopy { copied(folder.epoch) }
    self.init(
      recovered, at: home, writer: try folder.makeWriter(progressed: written), epoch: folder.epoch, homes: homes,
      system: system, configuration: configuration)
  }

  /// Resumes the graphs: adopts the mirrors as clients have seen them, and advances the time.
  ///
  /// `Homes.connect` is to follow, once all homes have begun.
  ///
  /// - Parameters:
  ///   - main: The runtime of the other graphs, not yet started.
  ///   - now: By the daemon's clock.
  ///   - microseconds: Since 1970.
  ///   - before: The state from a handover; `nil` without one, or if the graphs did not run before it.
  ///   - turnClock: The clock that limits the time of turns; without one, turns have no limit.
  ///   - isFollowed: True if the mirrors have reflected the log so far (`FollowedGraphs`), so that they adopt nothing.
  package func begin(
    _ main: GraphRuntime, at now: Instant, _ microseconds: Int64, handedOver before: HandedOverGraphs? = nil,
    limitingTurnsBy turnClock: TurnClock? = nil, isFollowed: Bool = false
  ) throws(StorageError) {
    self.main = main
    let recovered = durable
    let part = configuration.configuration.part(of: home)
    connectWorld()
    // They precede all that the graphs write and read from now on.
    for writing in owedWritings.all { effects.append(writing) }
    owedWritings = OwedWritings()
    let changes = oldConfiguration.map {
      ConfigurationChanges(
        from: $0, to: configuration.configuration, running: $0.server, generation: 1, discarding: discarded)
    }
    let passed = changes == nil ? 0 : max(0, microseconds - recovered.time.microseconds)
    let instant = before.map { max(recovered.time.instant, now + $0.clockOffset) }
    present = EntryTime(
      instant: instant ?? recovered.time.instant + .microseconds(passed), microseconds: microseconds)
    clockOffset = before?.clockOffset ?? present.instant - now
    if !isFollowed { adoptMirrors(recovered.runtime, changes, isDelivered: before != nil) }
    durable = DurableRuntime(
      oldConfiguration?.part(of: home) ?? part, world: world, mirrors: makeMirrors(), isResuming: changes != nil)
    if let turnClock { durable.limitTurns(by: turnClock) }
    listen()
    effects.time = microseconds
    if let changes {
      do throws(StateError) {
        try durable.resume(recovered.state(), before == nil ? .anew : .handedOver)
      } catch {
        throw StorageError(.damaged, "cannot resume from the state: \(error.message)")
      }
      // Subscriptions from the old process are restored after the other graphs have started.
      let attended = before == nil ? observedMirrors : Set(durable.attended)
      durable.reload(part, as: changes, numbers: numbers, attended: attended, at: present)
      // A resuming process may be killed before it takes over; until then it must not write anything.
      if before == nil { durable.perform(.timers, at: present) }
    } else {
      durable.start(numbers: numbers, at: present)
    }
    if isFollowed, let changes {
      let changed = configuration.configuration.names(in: home).subtracting(changes.kept)
      if !changed.isEmpty { effects.append(.restart(changed, .replaced)) }
    }
    (oldConfiguration, discarded) = (nil, [])
    isLogging = true
    takeSnapshot()
    isHandedOver = before != nil
    let remote = recovered.runtime.signals.filter { $0.isMirror && $0.declaration.isDurable }
    reached = Dictionary(
      uniqueKeysWithValues: remote.filter { changes?.kept.contains($0.name) ?? false }.map { ($0.name, $0.sequence) })
    followed = Set(before?.observed ?? [])
    hasBegun = true
  }

  /// The state for a handover.
  package var handedOver: HandedOverGraphs {
    HandedOverGraphs(observed: durable.runtime.signals.filter(\.wantsOriginal).map(\.name), clockOffset: clockOffset)
  }

  /// Prepares for a new configuration: see `Homes.willReload`.
  func willReload(_ new: Configuration, leaveHome: (RunningSignal) -> Void) {
    takeCrossings()
    // A graph that is no longer durable here need not wait for the disk: its state is discarded.
    let durable = new.names(in: home)
    var left: Set<String> = []
    while true {
      let events = effects.takeEvents { !durable.contains($0.name) }
      if events.isEmpty { break }
      releaseUnwritten(events, &left, leaveHome)
      // The effects belong before the reload as well, and may be events of the same signals.
      takeCrossings()
    }
    // It restarts now, and not again when the disk has caught up.
    effects.removeRestarts(of: configuration.configuration.names(in: home).subtracting(durable))
  }

  /// Emits uncommitted events of signals that are about to leave the home.
  ///
  /// Their numbers may never reach the state log: if the daemon is killed before, it would assign them to other values. So
  /// they are numbered in the epoch of the process, as the signals themselves are after the reload.
  ///
  /// - Parameter left: The signals that are already numbered so.
  private func releaseUnwritten(
    _ events: [Effect], _ left: inout Set<String>, _ leaveHome: (RunningSignal) -> Void
  ) {
    defer { chain = nil }
    for event in events {
      guard case .next(let payload, _, let mirror, let key, let time, let isSent) = event else {
        release(event)
        continue
      }
      if left.insert(mirror.name).inserted {
        mirror.skipNumbers(to: main?.lastNumber(of: mirror.name) ?? 0)
        leaveHome(mirror)
      }
      release(.next(payload, sequence: mirror.sequence + 1, of: mirror, key, at: time, isSent: isSent))
    }
  }

  /// Subscribes to new signals of other graphs under another configuration, and aligns the numbers of signals that
  /// become durable with their originals.
  func willBegin(_ fresh: [RunningSignal], of new: Configuration) {
    let wanted = wanted(by: new)
    let before = main == nil ? [] : configuration.configuration.names(in: home)
    for signal in fresh {
      if wanted.contains(signal.name) && !signal.isMirror { observe(signal) }
      if signal.declaration.home == home, !before.contains(signal.name) { adoptNumber(of: signal) }
    }
  }

  /// Advances a mirror's number to that of its signal in the state log.
  private func adoptNumber(of mirror: RunningSignal) {
    if main == nil, let original = durable.runtime.signal(named: mirror.name), !original.isMirror {
      mirror.skipNumbers(to: original.sequence)
    } else {
      mirror.skipNumbers(to: durable.runtime.lastNumber(of: mirror.name))
    }
  }

  /// Adopts another configuration, after the runtime of the other graphs has done so.
  func reload(_ new: StoredConfiguration, as changes: ConfigurationChanges) {
    handOver(evenIfBusy: true)
    effects.time = present.microseconds
    // Restarted mirrors still receive events from before the reload; after those, they restart once more.
    let late = effects.mirrorsWithEvents.subtracting(changes.kept)
    if !late.isEmpty { effects.append(.restart(late, .replaced)) }
    isLogging = false
    configuration = new
    durable.reload(
      new.configuration.part(of: home), as: changes, numbers: numbers, attended: observedMirrors, at: present)
    isLogging = true
    takeSnapshot()
  }

  /// Restarts mirrors that have reflected events from before a reload, together with their dependents in the other
  /// graphs.
  func replace(_ names: Set<String>) {
    guard let main else { return }
    takeCrossings()
    let replaced = main.replacement(of: names)
    // Durable graphs may have received the end of another graph's signal that now continues.
    homes.restartMirrors(of: replaced)
    restartSignals(replaced)
  }

  /// Restarts the durable graphs' mirrors of other graphs' signals that have restarted after an end.
  func restartMirrors(of names: Set<String>) {
    let places = names.sorted().compactMap { durable.place(of: $0) }.filter {
      let signal = durable.places[Int($0)]
      return signal.isMirror && signal.ending != nil
    }
    if places.isEmpty || isOver { return }
    if failure != nil {
      for place in places { missed.note(durable.places[Int(place)].name) }
      return
    }
    restart(places)
  }

  /// The lazy durable signals with subscribers to their mirrors.
  private var observedMirrors: Set<String> { Set((main?.signals ?? []).filter(\.wantsOriginal).map(\.name)) }

  /// The sequence numbers that clients have seen, which no other value of the same signals may get.
  private var numbers: [String: UInt64] {
    let signals = (main?.signals ?? []).filter { $0.sequence > 0 }
    return Dictionary(uniqueKeysWithValues: signals.map { ($0.name, $0.sequence) })
  }

  /// Adopts the current signals and their durability settings.
  private func adoptSignals() {
    let graphs = configuration.configuration.graphs(in: home)
    snapshots.history = KeptHistory(graphs)
    let delays = graphs.compactMap { graph -> Duration? in
      if case .within(let delay)? = graph.durability?.sync { delay } else { nil }
    }
    if let least = delays.min() { writer.sync(within: least) }
    let synced = Set(graphs.filter { $0.durability?.sync == .commit }.map(\.name))
    effects.mirroredSignals = durable.places.map { signal in
      EffectOutbox.MirroredSignal(
        original: signal, mirror: signal.isOriginal ? main?.signal(named: signal.name) : nil,
        isSynced: synced.contains(SignalName.graph(of: signal.name)))
    }
    placesByMirror = [:]
    for (place, signal) in effects.mirroredSignals.enumerated() {
      if let mirror = signal.mirror { placesByMirror[ObjectIdentifier(mirror)] = place }
    }
  }

  /// Advances the mirrors to the state that clients may have seen.
  private func adoptMirrors(_ recovered: GraphRuntime, _ changes: ConfigurationChanges?, isDelivered: Bool) {
    guard let main, let changes else { return }
    for mirror in main.signals where mirror.declaration.home == home {
      guard let original = recovered.signal(named: mirror.name), !original.isMirror else {
        mirror.skipNumbers(to: recovered.lastNumber(of: mirror.name))
        continue
      }
      mirror.adopt(
        original, onlyNumber: !changes.kept.contains(mirror.name), isDelivered: isDelivered, ahead: .zero - clockOffset)
    }
  }

  private func connectWorld() {
    world.enter = { [unowned self] event, number in take(event, of: number) }
    world.noteContent = { [unowned self] content in
      if isLogging { entries.append(.content(content), at: present) }
    }
    world.onWrite = { [effects] in effects.append($0) }
    world.owedContent = { [effects] in effects.owedContent(of: .absolute($0)) }
    world.onEffect = { [effects] bytes, carryOut in effects.append(.external(carryOut, bytes: bytes)) }
  }

  private func take(_ event: WorldEvent, of number: UInt64) {
    if isOver { return }
    takeCrossings()
    if failure == nil {
      enter(.world(event, number: number))
    } else if !missedEvents.append(event, of: number) {
      lostValues += 1
    }
  }

  /// Creates the mirrors of the other graphs' signals.
  private func makeMirrors() -> Mirrors {
    let mirrors = DurableRuntime.mirrors(in: home)
    mirrors.onSend = { [effects] signal, value in effects.append(.value(value, to: signal.name)) }
    mirrors.onActionEvent = { [effects] action, actionEvent in effects.append(.actionEvent(actionEvent, of: action)) }
    mirrors.onListening = { [effects] signal in
      effects.append(.listening(signal.wantsOriginal, to: signal.name))
    }
    return mirrors
  }

  /// Connects events of durable signals to their mirrors, and events of other graphs to durable ones.
  private func listen() {
    durable.emissions.effects = effects
    durable.runtime.onCongestion = { [unowned self] signal, isFull in onCongestion(signal, isFull) }
    durable.runtime.onRefusal = { [effects] in effects.append(.refusal($0)) }
    durable.runtime.onLoss = { [unowned self] signal, event in
      if let mirror = main?.signal(named: signal.name) { effects.append(.loss(event, of: mirror)) }
    }
    durable.runtime.onHolding = { [unowned self] signal in
      if let mirror = main?.signal(named: signal.name) { effects.append(.holding(mirror)) }
    }
    durable.runtime.onKeyEnd = { [unowned self] signal, key in
      if let mirror = main?.signal(named: signal.name) { effects.append(.keyEnd(key, of: mirror)) }
    }
    durable.onSignals = { [unowned self] in adoptSignals() }
    adoptSignals()
  }

  /// Connects the graphs to those outside: see `Homes.connect`.
  ///
  /// - Parameter fresh: The homes that have begun since, whose signals may have values that nothing has delivered.
  func connect(toFresh fresh: Set<Home>) {
    guard let main else { return }
    isConnected = true
    // A name may belong to another signal by now, or to one of this home.
    observed = observed.filter { main.signal(named: $0) != nil }
    followed = followed.filter { main.signal(named: $0).map { $0.declaration.home != home } ?? false }
    let wanted = wanted(by: configuration.configuration)
    for signal in main.signals + main.own.all {
      guard wanted.contains(signal.name), let mirror = durable.runtime.signal(named: signal.name), mirror.isMirror
      else {
        observe(signal, false)
        continue
      }
      let isKnown = observed.contains(signal.name) && !(signal.declaration.home.map(fresh.contains) ?? false)
      if isHandedOver { observe(signal) } else if !isKnown { join(signal, as: mirror) }
    }
    (isHandedOver, reached) = (false, [:])
    compareListeners(in: main)
  }

  /// Compares which lazy signals each side subscribes to, and corrects differences.
  ///
  /// Each subscription and cancellation is forwarded when it occurs. This covers changes without one: a signal that has
  /// become lazy or a mirror, and whatever could not be forwarded.
  func compareListeners(in main: GraphRuntime) {
    for signal in main.signals {
      guard let other = durable.runtime.signal(named: signal.name) else { continue }
      if other.isOriginal, signal.wantsOriginal != other.hasObservedMirror { cross(.listening(to: signal.name)) }
      if other.wantsOriginal || followed.contains(signal.name) {
        effects.append(.listening(other.wantsOriginal, to: signal.name))
      }
    }
  }

  /// Starts or stops a lazy durable signal according to the subscribers of its mirror.
  func takeListening(to name: String) {
    guard let place = durable.place(of: name) else { return }
    let isObserved = main?.signal(named: name)?.wantsOriginal ?? false
    guard durable.places[Int(place)].isOriginal else { return }
    if durable.places[Int(place)].hasObservedMirror != isObserved { enter(.listening(isObserved, to: place)) }
  }

  /// Returns the signals that durable ones of the home are computed from.
  private func wanted(by configuration: Configuration) -> Set<String> {
    let signals = configuration.part(of: home).graphs.flatMap(\.signals)
    return Set(signals.filter { $0.home == home || $0.isCold }.flatMap(\.upstream))
  }

  /// Follows the events of a signal of another graph, or no longer.
  private func observe(_ signal: RunningSignal, _ observes: Bool = true) {
    if observes { observed.insert(signal.name) } else { observed.remove(signal.name) }
    homes.update(reflectionOf: signal)
  }

  /// Subscribes to a running signal, beginning with its retained values.
  ///
  /// A signal of another home may have outlived the daemon together with its mirror here; that one gets what it has
  /// missed.
  private func join(_ signal: RunningSignal, as mirror: RunningSignal) {
    observe(signal)
    let reached = reached[signal.name]
    if reached != nil, signal.ending == nil { restartMirrors(of: [signal.name]) }
    for entry in signal.retained.latest(signal.retained.count) where entry.sequence > reached ?? 0 {
      cross(.event(.next(entry.payload, sequence: entry.sequence), of: signal.name))
    }
    guard let ending = signal.ending, reached == nil || mirror.ending == nil else { return }
    cross(.event(.ended(ending), of: signal.name))
  }
}
