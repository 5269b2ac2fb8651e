import Foundation
import GraphStories
import JSON
import Signals
import StateLog
import TestSupport
import Testing

@testable import GraphEngine
@testable import GraphModel
@testable import Persistence

/// A daemon's graphs in virtual time, some of them durable, that can be killed at any moment and resume from disk.
///
/// Each home has a folder of its own. The folder's home is always open, the others when the configuration has graphs there.
final class DurableHost {
  private let folder = TemporaryFolder(inMemory: true)
  /// The folders of the present process.
  private var states: [Home: TemporaryFolder] = [:]
  /// The folders of all processes before: FaultyDisk identifies files by their names.
  private var earlierStates: [TemporaryFolder] = []
  private var configuration: StoredConfiguration
  let world = PlayedWorld()
  private var homes = Homes(.none)
  /// The graphs of the open homes, those of the folder first.
  private(set) var graphs: [DurableGraphs] = []
  private(set) var main: GraphRuntime
  private var bell = DispatchSemaphore(value: 0)
  private var now = Instant(nanoseconds: 0)
  private var microseconds: Int64
  /// All events delivered to clients, across all runs: `signal number value`.
  private(set) var told: [String] = []
  /// The events in the form of a story's log.
  private(set) var events: [String] = []
  /// The answers to all sent values, in order.
  private(set) var answers: [String] = []
  private(set) var refusals: [RefusedValue] = []
  private(set) var logged: [String] = []
  /// The last number delivered for each signal in each epoch.
  private(set) var last: [String: UInt64] = [:]
  /// The signals that a reload in progress removes from the folder's epoch.
  private var leaving: Set<String> = []
  /// Counts the processes whose other graphs were not handed over: each has an epoch of its own.
  private var process = 1
  /// The values whose number did not exceed the previous one of the same epoch.
  private(set) var fallen: [String] = []
  /// Called with the folder of each state before it is opened.
  private let prepare: (String) -> Void
  private let turnClock: TurnClock?

  /// - Parameter graphs: The YAML under `graphs:`.
  convenience init(_ graphs: String) throws {
    try self.init(yaml: Self.yaml(graphs), microseconds: 1_700_000_000_000_000)
  }

  /// - Parameters:
  ///   - microseconds: The time of day at the beginning.
  ///   - turnClock: The clock that limits the time of the durable graphs' turns.
  ///   - prepare: Called with the folder of the state before it is opened.
  init(
    yaml: String, microseconds: Int64, turnClock: TurnClock? = nil, prepare: @escaping (String) -> Void = { _ in }
  ) throws {
    self.microseconds = microseconds
    self.prepare = prepare
    self.turnClock = turnClock
    configuration = try Self.stored(yaml, in: folder)
    main = GraphRuntime(configuration.configuration, world: world, now: now, wallOffset: 0)
    try begin()
  }

  deinit {
    homes.finish()
    world.forget()
  }

  static func yaml(_ graphs: String) -> String {
    "signalbox: 1\ngraphs:\n" + graphs.split(separator: "\n").map { "  \($0)\n" }.joined()
  }

  private static func stored(_ yaml: String, in folder: TemporaryFolder) throws -> StoredConfiguration {
    let path = folder("signalbox.yaml")
    try yaml.write(toFile: path, atomically: false, encoding: .utf8)
    return try StoredConfiguration(reading: .alone(path))
  }

  private var state: String { state(of: .folder) }

  private func state(of home: Home) -> String {
    if let state = states[home] { return state.path }
    let state = TemporaryFolder(inMemory: true)
    states[home] = state
    return state.path
  }

  /// Opens the homes of the configuration that are not open yet.
  private func open() throws {
    for home in [.folder] + configuration.configuration.homes where homes[home] == nil {
      let (state, bell) = (state(of: home), bell)
      prepare(state)
      let opened = try DurableGraphs(
        folder: state, of: home, in: homes, configuration, system: world, progressed: { _ in },
        copied: { _ in }, written: { bell.signal() })
      opened.log = { [unowned self] in logged.append($0) }
      opened.restartSignals = { [unowned self] in main.restartSignals($0) }
      graphs.append(opened)
    }
  }

  private func begin(as before: HandedOver? = nil) throws {
    let mirrors = Mirrors(\.isDurable)
    homes = Homes(mirrors)
    bell = DispatchSemaphore(value: 0)
    try open()
    main = GraphRuntime(
      configuration.configuration, world: world, now: now, wallOffset: 0, mirrors: mirrors, keepsState: true,
      isResuming: before != nil)
    main.onRefusal = { [unowned self] in refusals.append($0) }
    for opened in graphs {
      try opened.begin(
        main, at: now, microseconds, handedOver: before?.durable[opened.home], limitingTurnsBy: turnClock)
    }
    homes.connect()
    for signal in main.signals { listen(to: signal) }
    if let before { try resume(before) } else { main.start() }
    settle()
  }

  private func resume(_ before: HandedOver) throws {
    let mismatches = try main.resumeWhatFits(before.state) {
      for name in before.durable.values.flatMap(\.observed) {
        if let signal = main.signal(named: name) { main.setMirror(of: signal, isObserved: true) }
      }
      for signal in before.attached.compactMap(main.signal) { signal.addSubscriber() }
    }
    logged += mismatches.map { "\($0.signal): \($0.error.message)" }
  }

  /// The handover of one process to the next.
  private struct HandedOver {
    let durable: [Home: HandedOverGraphs]
    let state: [UInt8]
    let attached: [String]
  }

  /// Subscribes a client, resuming after its last event.
  private func listen(to signal: RunningSignal) {
    if signal.declaration.isDurable {
      for entry in signal.retained.all where entry.sequence > last[numbering(of: signal.name)] ?? 0 {
        note(signal.name, .next(entry.payload, sequence: entry.sequence))
      }
    }
    let name = signal.name
    signal.observer = { [unowned self] in note(name, $0) }
  }

  private func note(_ name: String, _ event: SignalEvent) {
    events.append(event.line(of: name))
    switch event {
    case .next(let payload, let sequence):
      let earlier = last.updateValue(sequence, forKey: numbering(of: name)) ?? 0
      if sequence <= earlier { fallen.append("\(numbering(of: name)): \(sequence) after \(earlier)") }
      told.append("\(name) \(sequence) \(payload.value)")
    case .ended(let ending): told.append("\(name) \(ending.event)")
    }
  }

  /// Returns a signal and its present epoch.
  func numbering(of name: String) -> String {
    guard let home = main.signal(named: name)?.declaration.home, !leaving.contains(name) else {
      return "\(name) in process \(process)"
    }
    return home == .folder ? "\(name) in the folder" : "\(name) in \(home)"
  }

  /// The graphs of the folder.
  var present: DurableGraphs { graphs[0] }

  /// Returns a durable signal in the runtime of its home.
  func original(of name: String) -> RunningSignal? { main.signal(named: name).flatMap { homes[$0]?.original(of: $0) } }

  // MARK: Operations

  /// Sends a value as a client; `settle` delivers the answer.
  func send(_ value: JSONValue, to name: String, message: String? = nil, from sender: EntrySender? = nil) {
    send(.value(value), to: name, message: message, from: sender)
  }

  func send(_ payload: Payload, to name: String, message: String?, from sender: EntrySender? = nil) {
    guard let signal = main.signal(named: name) else { return }
    if signal.isMirror { return send(.value(payload), to: signal, message: message, from: sender) }
    do { try main.send(payload, to: signal) } catch { answers.append("\(message ?? name) refused") }
  }

  func end(_ name: String, with ending: SignalEnding, message: String? = nil, from sender: EntrySender? = nil) {
    guard let signal = main.signal(named: name) else { return }
    if signal.isMirror { return send(.ending(ending), to: signal, message: message, from: sender) }
    try? main.end(signal, with: ending)
  }

  func send(
    _ content: DurableGraphs.Content, to signal: RunningSignal, message: String?, from sender: EntrySender? = nil
  ) {
    let name = message ?? signal.name
    do {
      let reply = DurableGraphs.Reply.answer { [unowned self] outcome in
        switch outcome {
        case .success(let outcome):
          answers.append("\(name) \(outcome.sequence.map(String.init) ?? "-")\(outcome.isDuplicate ? " again" : "")")
        case .failure: answers.append("\(name) unknown")
        }
      }
      try (homes[signal] ?? present).send(content, to: signal, message: message, from: sender, reply: reply)
    } catch {
      answers.append("\(name) refused")
    }
  }

  /// Restarts a signal that has ended, at a client's request.
  func restart(_ name: String, by sender: EntrySender? = nil) {
    guard let signal = main.signal(named: name), signal.ending != nil else { return }
    let renewed = main.restartSet(of: [name])
    if homes.restart(renewed, by: sender).isEmpty {
      main.restartSignals(renewed.filter { main.signal(named: $0)?.isMirror == false })
    }
  }

  /// Ends the loop iteration.
  func turn() { for graphs in graphs { graphs.endIteration() } }

  private func releaseCommitted() { for graphs in graphs { graphs.releaseCommitted() } }

  /// Waits until all entries are on disk, and delivered.
  func settle() {
    repeat {
      world.tellEnds()
      turn()
      releaseCommitted()
      if graphs.contains(where: { $0.failure != nil }) || graphs.allSatisfy(\.isIdle) { return }
      _ = bell.wait(timeout: .now() + 10)
      releaseCommitted()
    } while true
  }

  /// Waits until the entries so far are on disk, and delivered.
  func settleOnce() {
    turn()
    while !graphs.allSatisfy(\.isWritten) { _ = bell.wait(timeout: .now() + 1) }
    releaseCommitted()
  }

  func advance(by time: Duration) {
    pass(time)
    settle()
  }

  /// Advances the time without settling.
  func pass(_ time: Duration) {
    now += time
    microseconds += Int64(time / .microseconds(1))
    main.clock.measuredTime = microseconds
    main.advance(to: now)
    for graphs in graphs { graphs.advance(to: now, microseconds) }
  }

  /// Sets the civil clock.
  func setClock(by change: Duration) {
    microseconds += Int64(change / .microseconds(1))
    advance(by: .milliseconds(1))
  }

  /// The time until the next timer of a durable graph.
  var untilDeadline: Duration? { present.nextDeadline.map { $0 - now } }

  /// Returns a copy of the present folder.
  func copyOfState(of home: Home = .folder) throws -> TemporaryFolder {
    let state = state(of: home)
    let copy = TemporaryFolder(inMemory: true)
    // The mark is copied first: the log is then at least as long.
    let names = try FileManager.default.contentsOfDirectory(atPath: state)
    for name in names.sorted(by: { first, second in first.hasSuffix("-mark") && !second.hasSuffix("-mark") }) {
      try FileManager.default.copyItem(atPath: "\(state)/\(name)", toPath: copy(name))
    }
    return copy
  }

  /// Kills it, and resumes another one from disk.
  ///
  /// - Parameters:
  ///   - graphs: Another configuration for the next one.
  ///   - passing: The time until then.
  func kill(then graphs: String? = nil, passing: Duration = .zero) throws {
    try leave()
    process += 1
    // Another process has another clock.
    now += .seconds(1000)
    microseconds += Int64(passing / .microseconds(1))
    if let graphs { configuration = try Self.stored(Self.yaml(graphs), in: folder) }
    try begin()
  }

  /// Ends it in the ordinary way, and resumes another one from disk.
  func stop() throws {
    homes.finish()
    try kill()
  }

  private func leave() throws {
    var copies: [Home: TemporaryFolder] = [:]
    for home in states.keys { copies[home] = try copyOfState(of: home) }
    for graphs in graphs { graphs.abandon() }
    graphs = []
    earlierStates += states.values
    states = copies
    world.forget()
  }

  /// Hands over to another process, once all is on disk.
  ///
  /// - Parameter attached: The subscribed signals, each as often as it is named.
  func handOver(attached: [String] = []) throws {
    settle()
    let durable = Dictionary(uniqueKeysWithValues: graphs.map { ($0.home, $0.handedOver) })
    let before = HandedOver(durable: durable, state: main.state(), attached: attached)
    try leave()
    try begin(as: before)
  }

  /// Kills it once the writer's commits are on disk, though their effects were not delivered.
  func killOnceWritten() throws {
    waitUntilWritten()
    try kill()
  }

  /// Waits until all entries are on disk, without delivering their effects.
  func waitUntilWritten() {
    while true {
      turn()
      if graphs.allSatisfy({ $0.isWritten && $0.entries.isEmpty }) { return }
      _ = bell.wait(timeout: .now() + 10)
    }
  }

  /// Waits until the writer has deleted all snapshots but one, which it does after it has reported its progress.
  func waitUntilOneSnapshotIsLeft() throws {
    let reader = try FolderReader(state)
    while try reader.snapshots().count > 1 { _ = bell.wait(timeout: .now() + .milliseconds(5)) }
  }

  /// Waits for progress of the writer, and delivers the effects of durable commits.
  func waitForProgress() {
    while graphs.contains(where: { $0.failure != nil }) {
      _ = bell.wait(timeout: .now() + 10)
      releaseCommitted()
    }
  }

  /// Waits until the writer's commits are on disk, without delivering their effects.
  func waitUntilHandedOverIsWritten() {
    while !graphs.allSatisfy(\.isWritten) { _ = bell.wait(timeout: .now() + 10) }
  }

  /// Waits until the writer is idle or has failed, without delivering anything.
  func waitUntilWriterRests() {
    while !graphs.allSatisfy(\.isWriterAtRest) { _ = bell.wait(timeout: .now() + 1) }
  }

  func reload(_ graphs: String, settling: Bool = true) throws {
    configuration = try Self.stored(Self.yaml(graphs), in: folder)
    let opened = self.graphs.count
    try open()
    homes.willReload(configuration.configuration) { leaving.insert($0.name) }
    let changes = main.reload(configuration.configuration) { [unowned self] in
      leaving = []
      homes.willBegin($0.fresh, of: configuration.configuration)
      for signal in $0.fresh { listen(to: signal) }
    }
    homes.reload(configuration, as: changes)
    for fresh in self.graphs[opened...] { try fresh.begin(main, at: now, microseconds, limitingTurnsBy: turnClock) }
    homes.connect()
    if self.graphs.count > opened { main.deliverAdopted() }
    if settling { settle() }
  }

  /// Returns the delivered events of some signals.
  func told(of names: String...) -> [String] { told.filter { line in names.contains { line.hasPrefix($0 + " ") } } }
}

extension DurableGraphs {
  /// True if the writer is idle or has failed.
  fileprivate var isWriterAtRest: Bool {
    let progress = writer.progress
    return progress.failure != nil || isWritten && snapshots.last <= progress.snapshot ?? 0
  }
}
