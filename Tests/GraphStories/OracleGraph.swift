package import GraphEngine
package import GraphModel
import JSON
package import Signals

/// A graph in virtual time that logs all its events, and can be discarded and resumed at any point.
package final class OracleGraph: GraphWorld {
  private let configuration: Configuration
  private let restarts: Bool
  private var started: GraphRuntime?
  /// All log lines, in order.
  package private(set) var log: [String] = []
  /// The signals' events among them, without the time.
  package private(set) var events: [String] = []
  /// The number of refused values and endings.
  package private(set) var refusalCount = 0
  private var listening: [String] = []
  private var runs: [(name: String, label: Int, run: ColdRun)] = []
  private var runCount = 0
  private var programs: [String: [PlayedProgram]] = [:]
  private var calls: [String: any Disposable] = [:]

  package init(_ configuration: Configuration, restarts: Bool) throws {
    self.configuration = configuration
    self.restarts = restarts
    try begin(isResuming: false)
    runtime.start()
    try startAgain()
  }

  private var runtime: GraphRuntime {
    guard let started else { preconditionFailure("the initializer begins") }
    return started
  }

  private func begin(isResuming: Bool) throws {
    let runtime = GraphRuntime(
      configuration, world: self, now: .zero, wallOffset: 0, keepsState: restarts, isResuming: isResuming)
    started = runtime
    runtime.onRefusal = { [unowned self] refusal in
      note("\(refusal.signal) refuses in \(refusal.operatorName): \(refusal.failure.message)")
    }
    for signal in runtime.signals {
      signal.observer = { [unowned self] event in note(event, of: signal.name) }
    }
  }

  private func note(_ event: SignalEvent, of name: String) {
    let line = event.line(of: name)
    events.append(line)
    note(line)
  }

  private func note(_ line: String) { log.append("\(runtime.clock.now - .zero) \(line)") }

  // MARK: Resuming

  /// Resumes from its own state, which must encode to the same bytes each time.
  ///
  /// Ended parts without subscribers may encode differently after the first rebuild; from then on they are stable.
  private func startAgain() throws {
    guard restarts else { return }
    let state = runtime.state()
    if state != runtime.state() { throw Stranded(message: "writing the state down changes it") }
    try resume(from: state)
    let second = runtime.state()
    if second == state { return }
    try resume(from: second)
    let third = runtime.state()
    if third == second { return }
    let place = zip(second, third).enumerated().first { $1.0 != $1.1 }?.offset ?? -1
    throw Stranded(
      message: "the state is another one each time: \(second.count) and \(third.count) bytes, from \(place) on")
  }

  private func resume(from state: [UInt8]) throws {
    let former = runtime
    former.stop()
    programs = [:]
    try begin(isResuming: true)
    do {
      try runtime.resume(state) {
        for name in listening { runtime.attach(to: signal(name)) }
        runs = runs.map { name, label, run in
          let observer = { [unowned self] event in note(event, of: "\(name)/\(label)") }
          return (name, label, runtime.resumeRun(of: signal(name), number: run.number, observer: observer))
        }
      }
    } catch {
      throw Stranded(message: error.message)
    }
    withExtendedLifetime(former) {}
  }

  /// The encoded state.
  package var state: [UInt8] { runtime.state() }

  /// Returns true if another graph can resume a state and run for a while.
  package func canGoOn(from state: [UInt8]) -> Bool {
    let other = GraphRuntime(
      configuration, world: self, now: .zero, wallOffset: 0, keepsState: true, isResuming: true)
    do { try other.resume(state) {} } catch { return false }
    _ = other.state()
    other.advance(to: other.clock.now + .seconds(5))
    return true
  }

  package struct Stranded: Error { let message: String }

  private func signal(_ name: String) -> RunningSignal {
    guard let signal = runtime.signal(named: name) else { preconditionFailure("there is no signal \(name)") }
    return signal
  }

  // MARK: Operations

  /// Returns the number of a signal's last value.
  package func sequence(of name: String) -> UInt64 { signal(name).sequence }

  package func carryOut(_ step: OracleStory.Step) throws {
    note("\(step)")
    switch step {
    case .send(let name, let json):
      attempt(name) { () throws(SendError) in try runtime.send(.received(json), to: signal(name)) }
    case .end(let name, let ending):
      attempt(name) { () throws(SendError) in try runtime.end(signal(name), with: ending) }
    case .advance(let time): try advance(by: time)
    case .restart(let name): if signal(name).ending != nil { runtime.restart([name]) }
    case .attach(let name):
      listening.append(name)
      runtime.attach(to: signal(name))
    case .detach(let name):
      guard let index = listening.firstIndex(of: name) else { break }
      listening.remove(at: index)
      runtime.detach(from: signal(name))
    case .beginRun(let name):
      runCount += 1
      let label = runCount
      let run = runtime.startRun(of: signal(name)) { [unowned self] in note($0, of: "\(name)/\(label)") }
      runs.append((name, label, run))
    case .endRun(let name):
      guard let index = runs.firstIndex(where: { $0.name == name }) else { break }
      runs.remove(at: index).run.stop()
    case .call(let name, let json):
      do {
        calls[name] = try runtime.actions[name]?.call(.received(json)) { _ in }
      } catch {
        note("\(name) \(error)")
      }
    case .print(let name, let line): for program in running(name) { program.print("\(line)\n") }
    case .commit: break
    case .kill:
      // Lazy signals stop with the process of their subscribers, which then resubscribe.
      for name in listening { runtime.detach(from: signal(name)) }
      for name in listening { runtime.attach(to: signal(name)) }
    case .exit(let name, let status):
      let ended = running(name)
      programs[name] = nil
      for program in ended { program.end(.exited(status)) }
    }
    try startAgain()
  }

  private func attempt(_ name: String, _ action: () throws(SendError) -> Void) {
    do { try action() } catch {
      refusalCount += 1
      note("\(name) \(error)")
    }
  }

  private func advance(by time: Duration) throws {
    let target = runtime.clock.now + time
    while runtime.clock.step(before: target) { try startAgain() }
    runtime.clock.move(to: target, stepping: true)
    while runtime.clock.runFirstDueTimer() { try startAgain() }
  }

  /// The final values for new subscribers.
  package var summary: [String] {
    runtime.signals.map(\.summary) + ["\(runtime.turns) turns", "next at \(String(describing: runtime.nextDeadline))"]
  }

  /// The state of its signals, and the due time of the next timer.
  package var standing: [String] { runtime.standing }

  /// Returns the first difference of the events, or of the final state.
  package func difference(from other: OracleGraph, since start: Int) -> String? {
    for index in start..<max(log.count, other.log.count) {
      let (own, others) = (log.dropFirst(index).first, other.log.dropFirst(index).first)
      if own != others { return "it says \(own ?? "nothing"); once restarted \(others ?? "nothing")" }
    }
    let (own, others) = (summary, other.summary)
    return zip(own, others).first { $0 != $1 }.map { "it stands as \($0); once restarted as \($1)" }
  }

  // MARK: The world

  package let buses: any BusWorld = SilentBuses()
  package func contents(ofFile path: String, limit: Int) -> [UInt8]? { nil }
  package func write(_ writing: FileWriting) throws(SignalFailure) {}
  package func follow<Query: WorldQuery>(
    _ query: Query, from start: Query.Start, _ receive: @escaping (Query.Event) -> Void
  ) -> any Disposable { AnyDisposable {} }
  package func log(_ message: String, signal: String) { note("\(signal) logs \(message)") }
  package func start(_ program: Program, _ receive: @escaping (ProgramEvent) -> Void) -> any RunningProgram {
    let played = PlayedProgram(program, receive)
    guard program.purpose == .effect else {
      // A former program has exited together with its daemon.
      programs[program.owner, default: []].removeAll { $0.program.purpose != .effect }
      programs[program.owner, default: []].append(played)
      return played
    }
    programs[program.owner, default: []].append(played)
    return EndedAtOnce(played)
  }

  /// Returns the programs that run for a signal or an action, in an order independent of restarts.
  private func running(_ name: String) -> [PlayedProgram] {
    let present = (programs[name] ?? []).filter { !$0.isOver }
    return present.sorted { $0.program.environment.joined() < $1.program.environment.joined() }
  }

  /// A program that exits as soon as it is asked to: a lingering one is unknown after a restart.
  private final class EndedAtOnce: RunningProgram {
    private let played: PlayedProgram

    init(_ played: PlayedProgram) { self.played = played }

    func terminate() { played.end(.killed(15)) }
  }
}
