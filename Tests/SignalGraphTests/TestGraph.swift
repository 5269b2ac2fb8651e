import Foundation
import GraphStories
import JSON
import ReactiveCore
import ReactiveTesting
import Testing

@testable import SignalGraph

/// A configuration at work in virtual time, with a record of everything that its signals said.
final class TestGraph: GraphWorld {
  private var started: GraphRuntime?
  private var log: [(signal: String, event: SignalEvent)] = []
  var files: [String: [UInt8]] = [:]
  private var watches: [(path: String, token: AnyDisposable, changed: (ContentChange) -> Void)] = []
  private var tails: [(path: String, token: AnyDisposable, receive: (TailEvent) -> Void)] = []
  /// From where files were followed, in the order in which that began.
  private(set) var tailStarts: [TailStart] = []
  private var globs: [(pattern: String, token: AnyDisposable, receive: (GlobEvent) -> Void)] = []
  /// From where files that match patterns were followed, in the order in which that began.
  private(set) var globStarts: [GlobStart] = []
  private var journals: [(query: SystemJournalQuery, token: AnyDisposable, receive: (SystemJournalEvent) -> Void)] = []
  /// What was asked of the journal, and from where, in the order in which that began.
  private(set) var journalStarts: [(query: SystemJournalQuery, start: SystemJournalStart)] = []
  /// Paths that cannot be written.
  var readOnly: Set<String> = []
  /// The programs that were started, in their order.
  private(set) var programs: [PlayedProgram] = []
  let played = PlayedBuses()
  var buses: any BusWorld { played }
  private(set) var warnings: [String] = []
  private(set) var refusals: [RefusedValue] = []
  /// Whether all is written down, thrown away and built anew before anything is done to it.
  private let restarts: Bool
  /// Whether a signal forgets what it remembers whenever the graph is built anew.
  private let forgets: (RunningSignal) -> Bool
  /// The runtimes that were thrown away: what a test still has of them must not come to harm.
  private var former: [GraphRuntime] = []
  /// The signals to which somebody listens, once for each who does.
  private var listening: [String] = []

  /// Starts the signals of one graph, `g`, given as the YAML under `signals:`.
  convenience init(
    signals: String, restarts: Bool = TestGraph.restartsByDefault,
    forgetting: @escaping (RunningSignal) -> Bool = { _ in false }
  ) throws {
    try self.init(Self.configuration(signals: signals), restarts: restarts, forgetting: forgetting)
  }

  init(
    _ configuration: Configuration, files: [String: String] = [:], restarts: Bool = TestGraph.restartsByDefault,
    forgetting: @escaping (RunningSignal) -> Bool = { _ in false }
  ) {
    forgets = forgetting
    self.files = files.mapValues { Array($0.utf8) }
    self.restarts = restarts
    begin(configuration).start()
  }

  /// `GRAPH_RESTARTS=1 swift test --filter SignalGraphTests` restarts the graphs of all tests all the time.
  static let restartsByDefault = ProcessInfo.processInfo.environment["GRAPH_RESTARTS"] == "1"

  /// `GRAPH_WATCHED=1 swift test --filter SignalGraphTests` has the graphs of all tests watched: they say the same.
  private static let isWatched = ProcessInfo.processInfo.environment["GRAPH_WATCHED"] == "1"

  private func begin(_ configuration: Configuration, isResuming: Bool = false) -> GraphRuntime {
    let runtime = GraphRuntime(
      configuration, world: self, now: Instant(nanoseconds: 0), wallOffset: 0, keepsState: restarts || Self.isWatched,
      isResuming: isResuming, watch: Self.isWatched ? Watch() : nil)
    started = runtime
    runtime.onRefusal = { [unowned self] in refusals.append($0) }
    for signal in runtime.signals {
      signal.isForgetful = forgets(signal)
      watch(signal)
    }
    return runtime
  }

  /// The runtime, which has been thrown away and built anew where this graph restarts.
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
      Issue.record("it cannot go on: \(error.message)")
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
    // Nobody hears the signal that pipes look at before they call an action.
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
    try runtime.send(.raw(RawJSON(validated: Array(json.utf8))), to: signal(name))
  }

  /// Has somebody listen to a signal, as a client would.
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

  /// Does what one sign of a diagram stands for, to an input or in place of an action's program.
  func play(_ mark: MarbleDiagram.Mark, on name: String, _ values: ExampleValues) throws {
    if let action = runtime.engine.actions["g.\(name)"] {
      // A graph that has forgotten a call has no program that could put anything out.
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

  /// Moves time on, short of the timers that are due then.
  func move(to seconds: Double) {
    runtime.clock.move(to: Instant(nanoseconds: Int64(seconds * 1e9)), stepping: true)
  }

  func advance(to seconds: Double) {
    move(to: seconds)
    runtime.clock.runDueTimers()
  }

  func reload(_ configuration: Configuration) -> ReloadVerdict {
    runtime.reload(configuration) { $0.fresh.forEach(watch) }.told
  }

  /// What was said since the last time it was asked, as `signal#sequence value`, by these signals.
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

  /// All events since the last time anything was asked, with the short names of their signals.
  func events() -> [(signal: String, event: SignalEvent)] {
    defer { log = [] }
    return log
  }

  /// The events of one signal since the last time anything was asked.
  func outcomes(of name: String) -> [SignalEvent] {
    defer { log = [] }
    return log.filter { $0.signal == name }.map(\.event)
  }

  /// Gives a file another content, or removes it, and tells those who follow it.
  func change(_ path: String, to content: String?, _ change: ContentChange = .done) {
    files[path] = content.map { Array($0.utf8) }
    for watch in watches where watch.path == path && !watch.token.isDisposed { watch.changed(change) }
  }

  /// Tells those who follow a file's end.
  func tail(_ path: String, _ events: TailEvent...) {
    for event in events {
      for tail in tails where tail.path == path && !tail.token.isDisposed { tail.receive(event) }
    }
  }

  /// Tells those who follow the files that match a pattern.
  func glob(_ pattern: String, _ events: GlobEvent...) {
    for event in events {
      for glob in globs where glob.pattern == pattern && !glob.token.isDisposed { glob.receive(event) }
    }
  }

  /// Tells those who follow the journal.
  func journal(_ events: SystemJournalEvent...) {
    for event in events {
      for journal in journals where !journal.token.isDisposed { journal.receive(event) }
    }
  }

  /// How many follow the journal.
  var journalFollowers: Int { journals.count { !$0.token.isDisposed } }

  /// How many follow a file.
  func followers(of path: String) -> Int {
    globs.count { $0.pattern == path && !$0.token.isDisposed }
      + watches.count { $0.path == path && !$0.token.isDisposed }
      + tails.count { $0.path == path && !$0.token.isDisposed }
  }

  func contents(ofFile path: String, limit: Int) -> [UInt8]? { files[path] }

  func write(_ writing: FileWriting) throws(SignalFailure) {
    let path = "\(writing.path)"
    if readOnly.contains(path) { throw SignalFailure(code: "file", message: "\(path): Read-only file system") }
    files[path] = (writing.isAppended ? files[path] ?? [] : []) + writing.content
  }

  func watch(file path: String, _ changed: @escaping (ContentChange) -> Void) -> any Disposable {
    let token = AnyDisposable {}
    watches.append((path, token, changed))
    return token
  }

  func tail(
    file path: String, from start: TailStart, _ receive: @escaping (TailEvent) -> Void
  ) -> any Disposable {
    let token = AnyDisposable {}
    tails.append((path, token, receive))
    tailStarts.append(start)
    return token
  }

  func tail(
    pattern: String, from start: GlobStart, _ receive: @escaping (GlobEvent) -> Void
  ) -> any Disposable {
    let token = AnyDisposable {}
    globs.append((pattern, token, receive))
    globStarts.append(start)
    return token
  }

  func follow(
    _ query: SystemJournalQuery, from start: SystemJournalStart, _ receive: @escaping (SystemJournalEvent) -> Void
  ) -> any Disposable {
    let token = AnyDisposable {}
    journals.append((query, token, receive))
    journalStarts.append((query, start))
    return token
  }

  func start(_ program: Program, _ receive: @escaping (ProgramEvent) -> Void) -> any RunningProgram {
    let played = PlayedProgram(program, receive)
    programs.append(played)
    return played
  }

  func log(_ message: String, signal: String) { warnings.append("\(signal.dropFirst(2)): \(message)") }
}

extension Trait where Self == ConditionTrait {
  /// The test holds on to something that a restart takes away: a call, a program, a run of a cold signal.
  static var inOneRuntime: Self { .disabled(if: TestGraph.restartsByDefault, "it is about one runtime") }
}
