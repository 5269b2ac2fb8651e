import Base
package import GraphEngine
package import GraphModel
import JSON
package import ReactiveCore
package import StateLog

// The start of durable graphs and their changes of configuration.

extension DurableGraphs {
  /// Opens a folder and recovers the state of the graphs at the last commit.
  ///
  /// - Parameters:
  ///   - configuration: The configuration to run.
  ///   - mirrors: The mirrors of durable signals in the runtime of the other graphs.
  ///   - system: The system around the graphs.
  ///   - progressed: Called from time to time with the number of entries replayed.
  ///   - copied: Called with the new epoch if the folder is a copy of another one or was restored from a backup.
  ///   - written: Called on a thread of its own after each progress of the writer; then `effects` are to be released.
  package convenience init(
    folder path: String, _ configuration: StoredConfiguration, mirrors: Mirrors, system: any GraphWorld,
    progressed: (Int) -> Void, copied: (String) -> Void, written: @escaping @Sendable () -> Void
  ) throws(StorageError) {
    let folder = try StateFolder(path)
    let recovered: Recovered
    do throws(StorageError) {
      recovered = try Recovered(from: folder, configuration.configuration, progressed: progressed)
    } catch {
      // The state log is intact, but its replay diverges.
      throw error.description.contains(path) ? error : StateFolder.damage(of: path, error.description)
    }
    if folder.isCopy { copied(folder.epoch) }
    self.init(
      recovered, writer: try folder.makeWriter(progressed: written), epoch: folder.epoch, mirrors: mirrors,
      system: system, configuration: configuration, old: recovered.configuration)
  }

  /// Resumes the graphs: adopts the mirrors as clients have seen them, and advances the time.
  ///
  /// - Parameters:
  ///   - main: The runtime of the other graphs, not yet started.
  ///   - now: By the daemon's clock.
  ///   - microseconds: Since 1970.
  ///   - before: The state from a handover; `nil` without one, or if the graphs did not run before it.
  ///   - turnClock: The clock that limits the time of turns; without one, turns have no limit.
  package func begin(
    _ main: GraphRuntime, at now: Instant, _ microseconds: Int64, handedOver before: HandedOverGraphs? = nil,
    limitingTurnsBy turnClock: TurnClock? = nil
  ) throws(StorageError) {
    self.main = main
    let recovered = durable
    let part = configuration.configuration.durablePart
    connectWorld()
    let changes = oldConfiguration.map {
      ConfigurationChanges(
        from: $0, to: configuration.configuration, running: $0.server, generation: 1, discarding: discarded)
    }
    let passed = changes == nil ? 0 : max(0, microseconds - recovered.time.microseconds)
    let instant = before.map { max(recovered.time.instant, now + $0.clockOffset) }
    present = EntryTime(
      instant: instant ?? recovered.time.instant + .microseconds(passed), microseconds: microseconds)
    clockOffset = before?.clockOffset ?? present.instant - now
    adoptMirrors(recovered.runtime, changes, isDelivered: before != nil)
    durable = DurableRuntime(
      oldConfiguration?.durablePart ?? part, world: world, mirrors: makeMirrors(), isResuming: changes != nil)
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
    (oldConfiguration, discarded) = (nil, [])
    for writing in owedWritings.all { effects.append(.writing(writing)) }
    owedWritings = OwedWritings()
    isLogging = true
    takeSnapshot()
    connect(isGoingOn: before != nil)
  }

  /// The state for a handover.
  package var handedOver: HandedOverGraphs {
    HandedOverGraphs(observed: durable.runtime.signals.filter(\.wantsOriginal).map(\.name), clockOffset: clockOffset)
  }

  /// Prepares for a new configuration, which the runtime of the other graphs adopts first.
  ///
  /// - Parameter leaveFolder: Called with each mirror whose next values are numbered in the epoch of the process,
  /// before they are emitted.
  package func willReload(_ new: Configuration, leaveFolder: (RunningSignal) -> Void) {
    takeCrossings()
    // A graph that is no longer durable need not wait for the disk: its state is discarded.
    let durable = Set(new.durableNames)
    var left: Set<String> = []
    while true {
      let events = effects.takeEvents { !durable.contains($0.name) }
      if events.isEmpty { break }
      releaseUnwritten(events, &left, leaveFolder)
      // The effects belong before the reload as well, and may be events of the same signals.
      takeCrossings()
    }
    // It restarts now, and not again when the disk has caught up.
    effects.removeRestarts(of: Set(configuration.configuration.durableNames).subtracting(durable))
  }

  /// Emits uncommitted events of signals that are about to become non-durable.
  ///
  /// Their numbers may never reach the folder: if the daemon is killed before, it would assign them to other values. So
  /// they are numbered in the epoch of the process, as the signals themselves are after the reload.
  ///
  /// - Parameter left: The signals that are already numbered so.
  private func releaseUnwritten(
    _ events: [Effect], _ left: inout Set<String>, _ leaveFolder: (RunningSignal) -> Void
  ) {
    defer { chain = nil }
    for event in events {
      guard case .next(let payload, _, let mirror, let key, let time, let isSent) = event else {
        release(event)
        continue
      }
      if left.insert(mirror.name).inserted {
        mirror.skipNumbers(to: main?.lastNumber(of: mirror.name) ?? 0)
        leaveFolder(mirror)
      }
      release(.next(payload, sequence: mirror.sequence + 1, of: mirror, key, at: time, isSent: isSent))
    }
  }

  /// Subscribes to new signals of other graphs under another configuration, and aligns the numbers of signals that
  /// become durable with their originals.
  package func willBegin(_ fresh: [RunningSignal], of new: Configuration) {
    let observed = Self.observed(by: new)
    let before = main == nil ? [] : Set(configuration.configuration.durableNames)
    for signal in fresh {
      if observed.contains(signal.name) && !signal.isMirror { observe(signal) }
      if signal.isMirror, !before.contains(signal.name) { adoptNumber(of: signal) }
    }
  }

  /// Advances a mirror's number to that of its signal in the folder.
  private func adoptNumber(of mirror: RunningSignal) {
    if main == nil, let original = durable.runtime.signal(named: mirror.name), !original.isMirror {
      mirror.skipNumbers(to: original.sequence)
    } else {
      mirror.skipNumbers(to: durable.runtime.lastNumber(of: mirror.name))
    }
  }

  /// Adopts another configuration, after the runtime of the other graphs has done so.
  package func reload(_ new: StoredConfiguration, as changes: ConfigurationChanges) {
    handOver(evenIfBusy: true)
    effects.time = present.microseconds
    // Restarted mirrors still receive events from before the reload; after those, they restart once more.
    let late = effects.mirrorsWithEvents.subtracting(changes.kept)
    if !late.isEmpty { effects.append(.restart(late, .replaced)) }
    isLogging = false
    configuration = new
    durable.reload(
      new.configuration.durablePart, as: changes, numbers: numbers, attended: observedMirrors, at: present)
    isLogging = true
    takeSnapshot()
    connect()
  }

  /// Restarts mirrors that have reflected events from before a reload, together with their dependents in the other
  /// graphs.
  func replace(_ names: Set<String>) {
    guard let main else { return }
    takeCrossings()
    let replaced = main.replacement(of: names)
    // Durable graphs may have received the end of another graph's signal that now continues.
    restartMirrors(of: replaced)
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
    history = KeptHistory(configuration.configuration)
    let delays = configuration.configuration.graphs.compactMap { graph -> Duration? in
      if case .within(let delay)? = graph.durability?.sync { delay } else { nil }
    }
    if let least = delays.min() { writer.sync(within: least) }
    let synced = Set(configuration.configuration.graphs.filter { $0.durability?.sync == .commit }.map(\.name))
    effects.mirroredSignals = durable.places.map { signal in
      EffectOutbox.MirroredSignal(
        original: signal, mirror: signal.declaration.isDurable ? main?.signal(named: signal.name) : nil,
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
    for mirror in main.signals where mirror.isMirror {
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
    world.onWrite = { [effects] in effects.append(.writing($0)) }
    world.onEffect = { [effects] bytes, carryOut in effects.append(.external(carryOut, bytes: bytes)) }
  }

  private func take(_ event: WorldEvent, of number: UInt64) {
    if isOver { return }
    takeCrossings()
    if failure == nil {
      enter(.world(event, number: number))
    } else if event.isDeliveredOnce {
      missedEvents[number] = event
    } else {
      lostValues += 1
    }
  }

  /// Creates the mirrors of the other graphs' signals.
  private func makeMirrors() -> Mirrors {
    let mirrors = DurableRuntime.mirrors()
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

  /// - Parameter isGoingOn: True if all connections to other graphs continue unchanged.
  private func connect(isGoingOn: Bool = false) {
    guard let main else { return }
    mirrors.onSend = { [unowned self] signal, value in cross(.value(value, to: signal.name)) }
    mirrors.onListening = { [unowned self] signal in cross(.listening(to: signal.name)) }
    mirrors.onEvent = { [unowned self] signal, event in cross(.event(event, of: signal.name)) }
    let observed = Self.observed(by: configuration.configuration)
    for signal in main.signals + main.own.all {
      let isObserved = observed.contains(signal.name) && durable.runtime.signal(named: signal.name)?.isMirror ?? false
      if isGoingOn || !isObserved { signal.isReflected = isObserved } else if !signal.isReflected { join(signal) }
    }
    compareListeners(in: main)
  }

  /// Compares which lazy signals each side subscribes to, and corrects differences.
  ///
  /// Each subscription and cancellation is forwarded when it occurs. This covers changes without one: a signal that has
  /// become lazy or a mirror, and whatever could not be forwarded.
  func compareListeners(in main: GraphRuntime) {
    for signal in main.signals {
      guard let other = durable.runtime.signal(named: signal.name) else { continue }
      if signal.wantsOriginal != other.hasObservedMirror { cross(.listening(to: signal.name)) }
      if other.wantsOriginal || signal.hasObservedMirror {
        effects.append(.listening(other.wantsOriginal, to: signal.name))
      }
    }
  }

  /// Starts or stops a lazy durable signal according to the subscribers of its mirror.
  func takeListening(to name: String) {
    guard let place = durable.place(of: name) else { return }
    let isObserved = main?.signal(named: name)?.wantsOriginal ?? false
    if durable.places[Int(place)].hasObservedMirror != isObserved { enter(.listening(isObserved, to: place)) }
  }

  /// Returns the signals that durable ones are computed from.
  private static func observed(by configuration: Configuration) -> Set<String> {
    let signals = configuration.durablePart.graphs.flatMap(\.signals)
    return Set(signals.filter { $0.isDurable || $0.isCold }.flatMap(\.upstream))
  }

  /// Subscribes to a signal of another graph.
  private func observe(_ signal: RunningSignal) {
    signal.isReflected = true
  }

  /// Subscribes to a running signal, beginning with its retained values.
  private func join(_ signal: RunningSignal) {
    observe(signal)
    for entry in signal.retained.latest(signal.retained.count) {
      cross(.event(.next(entry.payload, sequence: entry.sequence), of: signal.name))
    }
    if let ending = signal.ending { cross(.event(.ended(ending), of: signal.name)) }
  }
}
