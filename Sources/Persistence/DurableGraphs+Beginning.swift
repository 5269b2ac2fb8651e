import JSON
package import Journal
import Queues
package import ReactiveCore
package import SignalGraph

// How durable graphs begin with the daemon, and how they change with its configuration.

extension DurableGraphs {
  /// Opens a folder, and works out how the graphs stood when the last commit was written.
  ///
  /// - Parameters:
  ///   - configuration: The configuration that is to run.
  ///   - mirrors: The mirrors of durable signals in the runtime of the other graphs.
  ///   - system: The system around the graphs.
  ///   - progressed: Called now and then with the number of entries that have been worked out.
  ///   - written: Called on a thread of its own when the writer has come further: `tellings` are to be told then.
  package convenience init(
    folder path: String, _ configuration: StoredConfiguration, mirrors: Mirrors, system: any GraphWorld,
    progressed: (Int) -> Void, written: @escaping @Sendable () -> Void
  ) throws(StorageError) {
    let folder = try StateFolder(path)
    let recovered: Recovered
    do throws(StorageError) {
      recovered = try Recovered(from: folder, configuration.configuration, progressed: progressed)
    } catch {
      // The journal is sound, and does not lead where it led.
      throw error.description.contains(path) ? error : StateFolder.damage(of: path, error.description)
    }
    self.init(
      recovered, writer: try folder.makeWriter(progressed: written), epoch: folder.epoch, mirrors: mirrors,
      system: system, configuration: configuration, old: recovered.configuration)
  }

  /// Has the graphs go on: clients find in the mirrors what they may have been told, and time has passed meanwhile.
  ///
  /// - Parameters:
  ///   - main: The runtime of the other graphs, which has not started.
  ///   - now: By the daemon's clock.
  ///   - microseconds: Since 1970.
  ///   - before: How they stood in the process that has handed over; `nil` where none has, or where they did not run.
  package func begin(
    _ main: GraphRuntime, at now: Instant, _ microseconds: Int64, handedOver before: HandedOverGraphs? = nil
  ) throws(StorageError) {
    self.main = main
    heardBefore = Set(before?.heard ?? [])
    let recovered = durable
    let part = configuration.configuration.durablePart
    connectWorld()
    let changes = oldConfiguration.map {
      ConfigurationChanges(
        from: $0, to: configuration.configuration, running: $0.server, generation: 1, forgetting: forgotten)
    }
    let passed = changes == nil ? 0 : max(0, microseconds - recovered.time.microseconds)
    let instant = before.map { max(recovered.time.instant, now + $0.clockOffset) }
    present = EntryTime(
      instant: instant ?? recovered.time.instant + .microseconds(passed), microseconds: microseconds)
    clockOffset = before?.clockOffset ?? present.instant - now
    adoptMirrors(recovered.runtime, changes, isHeard: before != nil)
    durable = DurableRuntime(
      oldConfiguration?.durablePart ?? part, world: world, mirrors: makeMirrors(), isResuming: changes != nil)
    listen()
    tellings.time = microseconds
    if let changes {
      do throws(StateError) {
        try durable.resume(recovered.state(), before == nil ? .anew : .handedOver)
      } catch {
        throw StorageError(.damaged, "the state cannot be gone on from: \(error.message)")
      }
      durable.reload(part, as: changes, numbers: numbers, at: present)
      // One that takes over may be killed before it has: then nothing of this may have happened.
      if before == nil { durable.perform(.timers, at: present) }
    } else {
      durable.start(numbers: numbers, at: present)
    }
    (oldConfiguration, forgotten) = (nil, [])
    for writing in owedWritings.all { tellings.append(.writing(writing)) }
    owedWritings = OwedWritings()
    isJournalling = true
    takeSnapshot()
    connect(isGoingOn: before != nil)
  }

  /// How they stand, for the process that goes on.
  package var handedOver: HandedOverGraphs {
    let heard = durable.runtime.signals.filter { $0.isMirror && $0.isLazy && $0.isAttended }
    return HandedOverGraphs(heard: heard.map(\.name), clockOffset: clockOffset)
  }

  /// Another configuration is about to be taken over, first by the runtime of the other graphs.
  package func willReload(_ new: Configuration) {
    takeCrossings()
    // A graph that is not durable any more need not wait for the disk: its state is given up.
    let durable = Set(new.durableNames)
    for telling in tellings.takeEvents(of: { !durable.contains($0.name) }) { tell(telling) }
    // It starts anew now, and not again when the disk has caught up.
    tellings.forgetRenewals(of: Set(configuration.configuration.durableNames).subtracting(durable))
  }

  /// Hears signals of other graphs that are about to begin afresh under another configuration.
  package func hear(_ fresh: [RunningSignal], of new: Configuration) {
    let heard = Self.heard(by: new)
    for signal in fresh where heard.contains(signal.name) && !signal.isMirror { hear(signal) }
  }

  /// Takes another configuration over, after the runtime of the other graphs has.
  ///
  /// - Parameter renew: Starts signals anew in the runtime of the other graphs.
  package func reload(
    _ new: StoredConfiguration, as changes: ConfigurationChanges, renew: @escaping (Set<String>) -> Void
  ) {
    handOver(evenIfBusy: true)
    tellings.time = present.microseconds
    // Mirrors have begun afresh, and are told what was under way before that.
    let fresh = new.configuration.durableNames.filter { !changes.kept.contains($0) }
    if !tellings.isEmpty, !fresh.isEmpty { tellings.append(.renewal(Set(fresh), renew)) }
    isJournalling = false
    configuration = new
    durable.reload(new.configuration.durablePart, as: changes, numbers: numbers, at: present)
    isJournalling = true
    takeSnapshot()
    connect()
  }

  /// The numbers that clients have been told, which no other value of the same signals may get.
  private var numbers: [String: UInt64] {
    let signals = (main?.signals ?? []).filter { $0.sequence > 0 }
    return Dictionary(uniqueKeysWithValues: signals.map { ($0.name, $0.sequence) })
  }

  /// Takes in which signals there are now, and what is promised of them.
  private func adoptSignals() {
    history = KeptHistory(configuration.configuration)
    let delays = configuration.configuration.graphs.compactMap { graph -> Duration? in
      if case .within(let delay)? = graph.durability?.sync { delay } else { nil }
    }
    if let least = delays.min() { writer.sync(within: least) }
    let synced = Set(configuration.configuration.graphs.filter { $0.durability?.sync == .commit }.map(\.name))
    tellings.seats = durable.places.map { signal in
      Tellings.Seat(
        original: signal, mirror: signal.declaration.isDurable ? main?.signal(named: signal.name) : nil,
        isSynced: synced.contains(SignalName.graph(of: signal.name)))
    }
    placesByMirror = [:]
    for (place, seat) in tellings.seats.enumerated() {
      if let mirror = seat.mirror { placesByMirror[ObjectIdentifier(mirror)] = place }
    }
  }

  /// Has the mirrors stand where clients may have been told that their signals stand.
  private func adoptMirrors(_ recovered: GraphRuntime, _ changes: ConfigurationChanges?, isHeard: Bool) {
    guard let main, let changes else { return }
    for mirror in main.signals where mirror.isMirror {
      guard let original = recovered.signal(named: mirror.name) else { continue }
      mirror.adopt(
        original, onlyNumber: !changes.kept.contains(mirror.name), isHeard: isHeard, ahead: .zero - clockOffset)
    }
  }

  private func connectWorld() {
    world.enter = { [unowned self] event, number in take(event, of: number) }
    world.noteContent = { [unowned self] content in
      if isJournalling { entries.append(.content(content), at: present) }
    }
    world.onWrite = { [tellings] in tellings.append(.writing($0)) }
    world.onDeed = { [tellings] bytes, carryOut in tellings.append(.deed(carryOut, bytes: bytes)) }
  }

  private func take(_ event: WorldEvent, of number: UInt64) {
    if isOver { return }
    takeCrossings()
    if failure == nil {
      enter(.world(event, number: number))
    } else if event.isToldOnce {
      missedEvents[number] = event
    } else {
      lostValues += 1
    }
  }

  /// The mirrors of the other graphs' signals.
  private func makeMirrors() -> Mirrors {
    let mirrors = DurableRuntime.mirrors()
    mirrors.onSend = { [tellings] signal, value in tellings.append(.value(value, to: signal.name)) }
    mirrors.onNews = { [tellings] action, news in tellings.append(.news(news, of: action)) }
    mirrors.onListening = { [tellings] signal, listens in
      tellings.append(.listening(listens, to: signal.name))
    }
    return mirrors
  }

  /// Has events of durable signals told to their mirrors, and events of others taken that durable graphs hear.
  private func listen() {
    durable.emissions.tellings = tellings
    durable.runtime.onRefusal = { [tellings] in tellings.append(.refusal($0)) }
    durable.runtime.onLoss = { [unowned self] signal, event in
      if let mirror = main?.signal(named: signal.name) { tellings.append(.loss(event, of: mirror)) }
    }
    durable.onSignals = { [unowned self] in adoptSignals() }
    adoptSignals()
  }

  /// - Parameter isGoingOn: Whether all that these hear of other graphs, and those of them, goes on as it was.
  private func connect(isGoingOn: Bool = false) {
    guard let main else { return }
    mirrors.onSend = { [unowned self] signal, value in cross(.value(value, to: signal.name)) }
    mirrors.onListening = { [unowned self] signal, listens in cross(.listening(listens, to: signal.name)) }
    mirrors.onEvent = { [unowned self] signal, event in cross(.event(event, of: signal.name)) }
    let heard = Self.heard(by: configuration.configuration)
    for signal in main.signals + main.own.all {
      let isHeard = heard.contains(signal.name) && durable.runtime.signal(named: signal.name)?.isMirror ?? false
      if isGoingOn {
        signal.isReflected = isHeard
        continue
      }
      if !isHeard { signal.isReflected = false } else if !signal.isReflected { join(signal) }
      if signal.isMirror, signal.isLazy, signal.isAttended { cross(.listening(true, to: signal.name)) }
    }
  }

  /// The signals from which durable ones are computed.
  private static func heard(by configuration: Configuration) -> Set<String> {
    let signals = configuration.durablePart.graphs.flatMap(\.signals)
    return Set(signals.filter { $0.isDurable || $0.isCold }.flatMap(\.upstream))
  }

  /// Hears a signal of another graph from now on.
  private func hear(_ signal: RunningSignal) {
    signal.isReflected = true
  }

  /// Hears a signal that is at work already, and first of all what it tells any newcomer.
  private func join(_ signal: RunningSignal) {
    hear(signal)
    for entry in signal.retained.latest(signal.retained.count) {
      cross(.event(.next(entry.payload, sequence: entry.sequence), of: signal.name))
    }
    if let ending = signal.ending { cross(.event(.ended(ending), of: signal.name)) }
  }
}
