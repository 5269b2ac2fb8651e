import Foundation
import GraphStories
import JSON
import Journal
import ReactiveCore
import TestSupport
import Testing

@testable import Persistence
@testable import SignalGraph

/// A daemon's graphs in virtual time, some of them durable, that can be ended at any moment and go on from what is on
/// disk then.
final class DurableHost {
  private let folder = TemporaryFolder(inMemory: true)
  private var states: [TemporaryFolder] = []
  private var configuration: StoredConfiguration
  let world = PlayedWorld()
  private var graphs: DurableGraphs?
  private(set) var main: GraphRuntime
  private var bell = DispatchSemaphore(value: 0)
  private var now = Instant(nanoseconds: 0)
  private var microseconds: Int64
  /// What clients have been told, over all lives: `signal number value`.
  private(set) var told: [String] = []
  /// The same as signals say it in a story.
  private(set) var events: [String] = []
  /// The answers to what was sent, in their order.
  private(set) var answers: [String] = []
  private(set) var refusals: [RefusedValue] = []
  private(set) var logged: [String] = []
  private var last: [String: UInt64] = [:]

  /// - Parameter graphs: The YAML under `graphs:`.
  convenience init(_ graphs: String) throws {
    try self.init(yaml: Self.yaml(graphs), microseconds: 1_700_000_000_000_000)
  }

  /// - Parameters:
  ///   - microseconds: The time of day at the beginning.
  ///   - prepare: Called with the folder of the state before that is opened.
  init(yaml: String, microseconds: Int64, prepare: (String) -> Void = { _ in }) throws {
    self.microseconds = microseconds
    configuration = try Self.stored(yaml, in: folder)
    states = [TemporaryFolder(inMemory: true)]
    main = GraphRuntime(configuration.configuration, world: world, now: now, wallOffset: 0)
    prepare(state)
    try begin()
  }

  deinit {
    graphs?.finish()
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

  private var state: String { states[states.count - 1].path }

  private func begin() throws {
    let mirrors = Mirrors(\.isDurable)
    let bell = DispatchSemaphore(value: 0)
    self.bell = bell
    let graphs = try DurableGraphs(
      folder: state, configuration, mirrors: mirrors, system: world, progressed: { _ in }, written: { bell.signal() })
    graphs.log = { [unowned self] in logged.append($0) }
    main = GraphRuntime(configuration.configuration, world: world, now: now, wallOffset: 0, mirrors: mirrors)
    main.onRefusal = { [unowned self] in refusals.append($0) }
    self.graphs = graphs
    try graphs.begin(main, at: now, microseconds)
    for signal in main.signals { listen(to: signal) }
    main.start()
    settle()
  }

  /// A client goes on behind what it was told before.
  private func listen(to signal: RunningSignal) {
    if signal.declaration.isDurable {
      for entry in signal.retained.all where entry.sequence > last[signal.name] ?? 0 {
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
      last[name] = sequence
      told.append("\(name) \(sequence) \(payload.value)")
    case .ended(let ending): told.append("\(name) \(ending.event)")
    }
  }

  var present: DurableGraphs {
    guard let graphs else { preconditionFailure("it has ended") }
    return graphs
  }

  // MARK: What is done to it

  /// A client sends a value; the answer comes with `settle`.
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
      try present.send(content, to: signal, message: message, from: sender, reply: reply)
    } catch {
      answers.append("\(name) refused")
    }
  }

  /// Starts a signal anew if it has ended, as a client asks for it.
  func restart(_ name: String, by sender: EntrySender? = nil) {
    guard let signal = main.signal(named: name), signal.ending != nil else { return }
    _ = present.restart(main.renewal(of: [name]), by: sender) { [unowned self] in main.renew($0) }
  }

  /// The loop's turn is over.
  func turn() { present.turnEnds() }

  /// Waits until all that has entered is on disk, and was told.
  func settle() {
    repeat {
      world.tellEnds()
      present.turnEnds()
      present.tellWritten()
      if present.failure != nil { return }
      if present.isIdle { return }
      _ = bell.wait(timeout: .now() + 10)
      present.tellWritten()
    } while true
  }

  /// Waits until what has entered so far is on disk, and was told.
  func settleOnce() {
    present.turnEnds()
    while !present.isWritten { _ = bell.wait(timeout: .now() + 1) }
    present.tellWritten()
  }

  func advance(by time: Duration) {
    pass(time)
    settle()
  }

  /// Time goes on, and nothing is settled.
  func pass(_ time: Duration) {
    now += time
    microseconds += Int64(time / .microseconds(1))
    main.clock.measuredTime = microseconds
    main.advance(to: now)
    present.advance(to: now, microseconds)
  }

  /// Somebody sets the civil clock.
  func setClock(by change: Duration) {
    microseconds += Int64(change / .microseconds(1))
    advance(by: .milliseconds(1))
  }

  /// How long it is until the next timer of a durable graph is due.
  var untilDeadline: Duration? { present.nextDeadline.map { $0 - now } }

  /// The folder as it is now.
  func copyOfState() throws -> TemporaryFolder {
    let copy = TemporaryFolder(inMemory: true)
    for name in try FileManager.default.contentsOfDirectory(atPath: state) {
      try FileManager.default.copyItem(atPath: "\(state)/\(name)", toPath: copy(name))
    }
    return copy
  }

  /// Ends it without a word, and has another one go on from what is on disk.
  ///
  /// - Parameters:
  ///   - graphs: Another configuration for the next one.
  ///   - passing: The time until then.
  func kill(then graphs: String? = nil, passing: Duration = .zero) throws {
    let copy = try copyOfState()
    present.abandon()
    self.graphs = nil
    states.append(copy)
    world.forget()
    // Another process has another clock.
    now += .seconds(1000)
    microseconds += Int64(passing / .microseconds(1))
    if let graphs { configuration = try Self.stored(Self.yaml(graphs), in: folder) }
    try begin()
  }

  /// The same once what was handed to the writer is on disk, though nobody was told.
  func killOnceWritten() throws {
    waitUntilWritten()
    try kill()
  }

  /// Waits until all that has entered is on disk; nobody is told.
  func waitUntilWritten() {
    while true {
      present.turnEnds()
      if present.isWritten, present.entries.isEmpty { return }
      _ = bell.wait(timeout: .now() + 10)
    }
  }

  /// Waits until the writer has come further, and tells what is on disk then.
  func waitForProgress() {
    while present.failure != nil {
      _ = bell.wait(timeout: .now() + 10)
      present.tellWritten()
    }
  }

  /// Waits until what was handed to the writer is on disk; nobody is told.
  func waitUntilHandedOverIsWritten() {
    while !present.isWritten { _ = bell.wait(timeout: .now() + 10) }
  }

  func reload(_ graphs: String, settling: Bool = true) throws {
    configuration = try Self.stored(Self.yaml(graphs), in: folder)
    present.willReload(configuration.configuration)
    let changes = main.reload(configuration.configuration) { [unowned self] in
      present.hear($0.fresh, of: configuration.configuration)
      for signal in $0.fresh { listen(to: signal) }
    }
    present.reload(configuration, as: changes) { [unowned self] in main.renew($0) }
    if settling { settle() }
  }

  /// What was told of some signals.
  func told(of names: String...) -> [String] { told.filter { line in names.contains { line.hasPrefix($0 + " ") } } }
}

/// A world whose files, programs and buses a test plays.
final class PlayedWorld: GraphWorld {
  let played = PlayedBuses()
  var buses: any BusWorld { played }
  var files: [String: [UInt8]] = [:]
  private(set) var written: [String] = []
  /// From where files were followed.
  private(set) var tailed: [TailStart] = []
  /// From where the journal was read.
  private(set) var journalStarts: [SystemJournalStart] = []
  /// From where files that match patterns were followed.
  private(set) var globStarts: [GlobStart] = []
  private var globs: [Int: (GlobEvent) -> Void] = [:]
  private var journals: [Int: (SystemJournalEvent) -> Void] = [:]
  private var watches: [Int: (path: String, changed: (ContentChange) -> Void)] = [:]
  private var tails: [Int: (path: String, receive: (TailEvent) -> Void)] = [:]
  private var programs: [Int: (program: Program, receive: (ProgramEvent) -> Void)] = [:]
  private var terminated: [(ProgramEvent) -> Void] = []
  private var last = 0

  func forget() {
    (watches, tails, globs, journals, programs, terminated) = ([:], [:], [:], [:], [:], [])
    played.forget()
  }

  var running: [String] { programs.sorted { $0.key < $1.key }.map { $0.value.program.command.joined(separator: " ") } }

  /// Of each program that runs its input and what it is told by its environment.
  var given: [String] {
    programs.sorted { $0.key < $1.key }.map {
      ([String(decoding: $0.value.program.input, as: UTF8.self)] + $0.value.program.environment).joined(separator: " ")
    }
  }

  func change(_ path: String, to content: String) {
    files[path] = Array(content.utf8)
    for watch in watches.values where watch.path == path { watch.changed(.done) }
  }

  func append(_ text: String, to path: String, reaching place: TailPlace? = nil) {
    for tail in tails.values where tail.path == path {
      tail.receive(.appended(Array(text.utf8)))
      if let place { tail.receive(.reached(place)) }
    }
  }

  /// Programs end, in the order in which they were started.
  func exit(_ status: Int32) {
    let ended = programs.sorted { $0.key < $1.key }
    programs = [:]
    for (_, program) in ended { program.receive(.ended(.exited(status))) }
  }

  func say(_ text: String) {
    for (_, program) in programs.sorted(by: { $0.key < $1.key }) { program.receive(.output(Array(text.utf8))) }
  }

  func contents(ofFile path: String, limit: Int) -> [UInt8]? { files[path] }

  func write(_ writing: FileWriting) throws(SignalFailure) {
    files["\(writing.path)"] = writing.content
    written.append("\(writing.path) \(String(decoding: writing.content, as: UTF8.self))")
  }

  func watch(file path: String, _ changed: @escaping (ContentChange) -> Void) -> any Disposable {
    last += 1
    watches[last] = (path, changed)
    return AnyDisposable { [self, last] in watches[last] = nil }
  }

  func tail(
    file path: String, from start: TailStart, _ receive: @escaping (TailEvent) -> Void
  ) -> any Disposable {
    last += 1
    tailed.append(start)
    tails[last] = (path, receive)
    return AnyDisposable { [self, last] in tails[last] = nil }
  }

  func tail(
    pattern: String, from start: GlobStart, _ receive: @escaping (GlobEvent) -> Void
  ) -> any Disposable {
    last += 1
    globStarts.append(start)
    globs[last] = receive
    return AnyDisposable { [self, last] in globs[last] = nil }
  }

  /// Tells those who follow files that match a pattern.
  func tell(_ events: GlobEvent...) {
    for event in events {
      for receive in globs.values { receive(event) }
    }
  }

  func follow(
    _ query: SystemJournalQuery, from start: SystemJournalStart, _ receive: @escaping (SystemJournalEvent) -> Void
  ) -> any Disposable {
    last += 1
    journalStarts.append(start)
    journals[last] = receive
    return AnyDisposable { [self, last] in journals[last] = nil }
  }

  /// Tells those who follow the journal.
  func enterIntoJournal(_ event: SystemJournalEvent) { for receive in journals.values { receive(event) } }

  func start(_ program: Program, _ receive: @escaping (ProgramEvent) -> Void) -> any RunningProgram {
    last += 1
    programs[last] = (program, receive)
    return Played { [self, last] in
      if let program = programs.removeValue(forKey: last) { terminated.append(program.receive) }
    }
  }

  /// Programs that were told to end have done so.
  func tellEnds() {
    let ended = terminated
    terminated = []
    for receive in ended { receive(.ended(.killed(15))) }
  }

  func log(_ message: String, signal: String) {}

  private final class Played: RunningProgram {
    private let end: () -> Void

    init(_ end: @escaping () -> Void) { self.end = end }

    func terminate() { end() }
  }
}
