import Foundation
import GraphStories
import GraphTools
import JSON
import ReactiveTesting
import Signals
import Testing

@testable import GraphCatalogue
@testable import GraphEngine
@testable import GraphModel

/// A configuration in virtual time, with a record of all its signals' events.
final class TestGraph: GraphWorld {
  private var started: GraphRuntime?
  private var log: [(signal: String, event: SignalEvent)] = []
  var files: [String: [UInt8]] = [:]
  let queries = PlayedQueries()
  /// Paths that cannot be written.
  var readOnly: Set<String> = []
  /// The started programs, in order.
  private(set) var programs: [PlayedProgram] = []
  let played = PlayedBuses()
  var buses: any BusWorld { played }
  private(set) var warnings: [String] = []
  private(set) var refusals: [RefusedValue] = []
  /// True if the graph is encoded, discarded and rebuilt before every operation.
  private let restarts: Bool
  /// True if a signal loses its memory whenever the graph is rebuilt.
  private let forgets: (RunningSignal) -> Bool
  /// The discarded runtimes: objects of them that a test still holds must stay valid.
  private var former: [GraphRuntime] = []
  /// The subscribed signals, once for each subscriber.
  private var listening: [String] = []
  /// The clock that limits the time of turns; without one, turns have no limit.
  private var turnClock: (() -> Instant)?

  /// Starts the signals of one graph, `g`, given as the YAML under `signals:`.
  convenience init(
    signals: String, restarts: Bool = TestGraph.restartsByDefault,
    discarding: @escaping (RunningSignal) -> Bool = { _ in false }
  ) throws {
    try self.init(Self.configuration(signals: signals), restarts: restarts, discarding: discarding)
  }

  init(
    _ configuration: Configuration, files: [String: String] = [:], restarts: Bool = TestGraph.restartsByDefault,
    discarding: @escaping (RunningSignal) -> Bool = { _ in false }
  ) {
    forgets = discarding
    self.files = files.mapValues { Array($0.utf8) }
    self.restarts = restarts
    begin(configuration).start()
  }

  /// `GRAPH_RESTARTS=1 swift test --filter GraphTests` restarts the graphs of all tests all the time.
  static let restartsByDefault = ProcessInfo.processInfo.environment["GRAPH_RESTARTS"] == "1"

  /// `GRAPH_WATCHED=1 swift test --filter GraphTests` records the provenance of all tests' graphs: their events
  /// are unchanged.
  private static let isWatched = ProcessInfo.processInfo.environment["GRAPH_WATCHED"] == "1"

  /// `GRAPH_NO_FUSION=1 swift test --filter GraphTests` makes values of all inputs of expressions: the events are
  /// unchanged.
  private static let readsText = ProcessInfo.processInfo.environment["GRAPH_NO_FUSION"] != "1"

  private func begin(_ configuration: Configuration, isResuming: Bool = false) -> GraphRuntime {
    var configuration = configuration
    configuration.readsText = Self.readsText
    let runtime = GraphRuntime(
      configuration, world: self, now: Instant(nanoseconds: 0), wallOffset: 0, keepsState: restarts || Self.isWatched,
      isResuming: isResuming, recorder: Self.isWatched ? ProvenanceRecorder() : nil)
    started = runtime
    if let turnClock { runtime.limitTurns(by: turnClock) }
    runtime.onRefusal = { [unowned self] in refusals.append($0) }
    for signal in runtime.signals {
      signal.isForgetful = forgets(signal)
      watch(signal)
    }
    return runtime
  }

  /// The runtime, rebuilt where this graph restarts.
  var runtime: GraphRuntime {
    guard let started else { preconditionFailure("the initializer starts it") }
    guard restarts, !started.isBusy else { return started }
    let state = started.state()
    started.stop()
    former.append(started)
    let runtime = begin(started.configuration, isResuming: true)
    do {
      try runtime.resume(state) { for name in listening { runtime.attach(to: signal(name)) } }
    } catch {
      Issue.record("it cannot resume: \(error.message)")
    }
    return runtime
  }

  static func configuration(signals: String, actions: String = "{}") throws -> Configuration {
    let indented = signals.split(separator: "\n").map { "      \($0)" }.joined(separator: "\n")
    return try configuration(
      "signalbox: 1\ngraphs:\n  g:\n    signals:\n\(indented)\n    actions: \(actions)\n")
  }

  static func configuration(_ text: String) throws -> Configuration {
    try Configuration.load(.alone("test.yaml"), inputs: ConfigurationWorld(files: ["test.yaml": text]).inputs)
  }

  static func configurationWithPlaces(_ text: String) throws -> (configuration: Configuration, places: StepPlaces) {
    try Configuration.loadWithPlaces(.alone("test.yaml"), inputs: ConfigurationWorld(files: ["test.yaml": text]).inputs)
  }

  private func watch(_ signal: RunningSignal) {
    // The private signal that pipes read before they call an action has no subscribers.
    if signal.isPrivate, signal.kind == .action { return }
    let short = signal.name.split(separator: ".").last.map(String.init) ?? signal.name
    signal.observer = { [unowned self] event in log.append((short, event)) }
  }

  func signal(_ name: String) -> RunningSignal {
    guard let signal = started?.signal(named: name.contains(".") ? name : "g.\(name)") else {
      preconditionFailure("there is no signal \(name)")
    }
    return signal
  }

  func send(_ json: String, to name: String) throws {
    try runtime.send(.received(json), to: signal(name))
  }

  /// Subscribes to a signal, as a client would.
  func attach(to name: String) {
    let runtime = runtime
    listening.append(name)
    runtime.attach(to: signal(name))
  }

  func detach(from name: String) {
    let runtime = runtime
    if let index = listening.firstIndex(of: name) { listening.remove(at: index) }
    runtime.detach(from: signal(name))
  }

  /// Plays one sign of a diagram, on an input or in place of an action's program.
  func play(_ mark: MarbleDiagram.Mark, on name: String, _ values: ExampleValues) throws {
    if let action = runtime.engine.actions["g.\(name)"] {
      // A graph that has lost a call has no program with output.
      guard action.isExecuting else { return }
      switch mark {
      case .value(let letter): try action.receive(.value(values.value(of: letter)))
      case .completed: try action.receive(.completed)
      case .failed: try action.receive(.failed(SignalFailure(code: "error", message: "")))
      case .interrupted: try action.receive(.interrupted)
      }
      return
    }
    switch mark {
    case .value(let letter): try runtime.send(.value(values.value(of: letter)), to: signal(name))
    case .completed: try runtime.end(signal(name), with: .completed)
    case .failed: try runtime.end(signal(name), with: .failed(SignalFailure(code: "error", message: "")))
    case .interrupted: try runtime.end(signal(name), with: .interrupted)
    }
  }

  /// Limits the time of turns by a clock of their own (`limits.turn_time`).
  func limitTurns(by clock: @escaping () -> Instant) {
    turnClock = clock
    runtime.limitTurns(by: clock)
  }

  /// Advances the time up to, but excluding, the timers due then.
  func move(to seconds: Double) {
    runtime.clock.move(to: Instant(nanoseconds: Int64(seconds * 1e9)), stepping: true)
  }

  func advance(to seconds: Double) {
    move(to: seconds)
    runtime.clock.runDueTimers()
  }

  /// Advances the time in one jump: all timers due meanwhile are late.
  func jump(to seconds: Double) { runtime.advance(to: Instant(nanoseconds: Int64(seconds * 1e9))) }

  func reload(_ configuration: Configuration) -> ReloadVerdict {
    runtime.reload(configuration) { $0.fresh.forEach(watch) }.published
  }

  /// Returns the events of these signals since the last query, as `signal#sequence value`.
  func said(by names: String...) -> [String] {
    defer { log = [] }
    return log.filter { names.isEmpty || names.contains($0.signal) }.map { signal, event in
      switch event {
      case .next(let payload, let sequence): "\(signal)#\(sequence) \(payload)"
      case .ended(.failed(let failure)): "\(signal) failed \(failure.code)"
      case .ended(let ending): "\(signal) \(ending)"
      }
    }
  }

  /// Returns all events since the last query, with the short names of their signals.
  func events() -> [(signal: String, event: SignalEvent)] {
    defer { log = [] }
    return log
  }

  /// Returns the events of one signal since the last query.
  func outcomes(of name: String) -> [SignalEvent] {
    defer { log = [] }
    return log.filter { $0.signal == name }.map(\.event)
  }

  /// Changes or removes a file's content, and notifies its followers.
  func change(_ path: String, to content: String?, _ change: ContentChange = .done) {
    files[path] = content.map { Array($0.utf8) }
    queries.deliver([change], to: ContentQuery.self) { $0.path == path }
  }

  /// Delivers events to the followers of a file's end.
  func tail(_ path: String, _ events: TailEvent...) {
    queries.deliver(events, to: TailQuery.self) { $0.path == path }
  }

  /// Delivers events to the followers of a glob pattern.
  func glob(_ pattern: String, _ events: GlobEvent...) {
    queries.deliver(events, to: GlobQuery.self) { $0.pattern == pattern }
  }

  /// Delivers events to the watches of a folder.
  func folder(_ path: String, _ events: FolderEvent...) {
    queries.deliver(events, to: FolderQuery.self) { $0.folder == path }
  }

  /// Delivers events to the followers of the journal.
  func journal(_ events: SystemJournalEvent...) { queries.deliver(events, to: SystemJournalQuery.self) }

  /// The start positions of followed files, in the order of their start.
  var tailStarts: [TailStart] { queries.starts(of: TailQuery.self).map(\.start) }

  /// The start positions of followed glob patterns, in the order of their start.
  var globStarts: [GlobStart] { queries.starts(of: GlobQuery.self).map(\.start) }

  /// The watched folders and their known files, in the order of their start.
  var folderStarts: [(query: FolderQuery, known: [FolderFile]?)] {
    queries.starts(of: FolderQuery.self).map { ($0.query, known: $0.start) }
  }

  /// The journal queries and their start positions, in the order of their start.
  var journalStarts: [(query: SystemJournalQuery, start: SystemJournalStart)] {
    queries.starts(of: SystemJournalQuery.self)
  }

  /// The number of followers of the journal.
  var journalFollowers: Int { queries.followed(SystemJournalQuery.self).count }

  /// Returns the number of followers of a file.
  func followers(of path: String) -> Int {
    queries.followed(FolderQuery.self).count { $0.folder == path }
      + queries.followed(GlobQuery.self).count { $0.pattern == path }
      + queries.followed(ContentQuery.self).count { $0.path == path }
      + queries.followed(TailQuery.self).count { $0.path == path }
  }

  func contents(ofFile path: String, limit: Int) -> [UInt8]? { files[path] }

  func write(_ writing: FileWriting) throws(SignalFailure) {
    let path = "\(writing.path)"
    if readOnly.contains(path) { throw SignalFailure(code: "file", message: "\(path): Read-only file system") }
    files[path] = (writing.isAppended ? files[path] ?? [] : []) + writing.content
  }

  func follow<Query: WorldQuery>(
    _ query: Query, from start: Query.Start, _ receive: @escaping (Query.Event) -> Void
  ) -> any Disposable { queries.follow(query, from: start, receive) }

  func start(_ program: Program, _ receive: @escaping (ProgramEvent) -> Void) -> any RunningProgram {
    let played = PlayedProgram(program, receive)
    programs.append(played)
    return played
  }

  func log(_ message: String, signal: String) { warnings.append("\(signal.dropFirst(2)): \(message)") }
}

extension Trait where Self == ConditionTrait {
  /// For tests that hold an object that a restart discards: a call, a program, a run of a cold signal.
  static var inOneRuntime: Self { .disabled(if: TestGraph.restartsByDefault, "it is about one runtime") }
}
