import JSON
import ReactiveCore
import SignalGraph
import Testing

/// A graph at work in virtual time that tells everything it says, and that may be thrown away and go on at any point.
final class OracleGraph: GraphWorld {
  /// What is done to it from outside.
  enum Step {
    case send(String, String)
    case end(String, SignalEnding)
    case advance(Duration)
    /// Started anew, if it has ended.
    case restart(String)
    case attach(String)
    /// The one who has listened for the longest time leaves.
    case detach(String)
    case beginRun(String)
    /// The oldest run ends.
    case endRun(String)
    case call(String, String)
    /// The program that runs for an action prints a line.
    case print(String, String)
    case exit(String, Int32)
  }

  private let configuration: Configuration
  private let restarts: Bool
  private var started: GraphRuntime?
  /// All that was said, in the order in which it was.
  private(set) var log: [String] = []
  private var listening: [String] = []
  private var runs: [(name: String, label: Int, run: ColdRun)] = []
  private var runCount = 0
  private var programs: [String: PlayedProgram] = [:]
  private var calls: [String: any Disposable] = [:]

  init(_ configuration: Configuration, restarts: Bool) throws {
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
    switch event {
    case .next(let payload, let sequence): note("\(name)#\(sequence) \(String(decoding: payload.json, as: UTF8.self))")
    case .ended(.failed(let failure)): note("\(name) failed \(failure.code): \(failure.message)")
    case .ended(let ending): note("\(name) \(ending)")
    }
  }

  private func note(_ line: String) { log.append("\(runtime.clock.now - .zero) \(line)") }

  // MARK: Going on elsewhere

  /// Goes on from its own state, which is the same bytes however often it is written down.
  ///
  /// What is over, and heard by nobody, may look otherwise once it was built again; but then it stays as it is.
  private func startAgain() throws {
    guard restarts else { return }
    let state = runtime.state()
    if state != runtime.state() { throw Stranded(message: "writing the state down changes it") }
    try goOn(from: state)
    let second = runtime.state()
    if second == state { return }
    try goOn(from: second)
    let third = runtime.state()
    if third == second { return }
    let place = zip(second, third).enumerated().first { $1.0 != $1.1 }?.offset ?? -1
    throw Stranded(
      message: "the state is another one each time: \(second.count) and \(third.count) bytes, from \(place) on")
  }

  private func goOn(from state: [UInt8]) throws {
    let former = runtime
    former.stop()
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

  /// All that it would need to go on.
  var state: [UInt8] { runtime.state() }

  /// Whether another one can go on from a state, and does so for a while.
  func canGoOn(from state: [UInt8]) -> Bool {
    let other = GraphRuntime(
      configuration, world: self, now: .zero, wallOffset: 0, keepsState: true, isResuming: true)
    do { try other.resume(state) {} } catch { return false }
    _ = other.state()
    other.advance(to: other.clock.now + .seconds(5))
    return true
  }

  struct Stranded: Error { let message: String }

  private func signal(_ name: String) -> RunningSignal {
    guard let signal = runtime.signal(named: name) else { preconditionFailure("there is no signal \(name)") }
    return signal
  }

  // MARK: What is done to it

  func carryOut(_ step: Step) throws {
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
    case .print(let name, let line): programs[name]?.print("\(line)\n")
    case .exit(let name, let status): programs.removeValue(forKey: name)?.end(.exited(status))
    }
    try startAgain()
  }

  private func attempt(_ name: String, _ action: () throws(SendError) -> Void) {
    do { try action() } catch { note("\(name) \(error)") }
  }

  private func advance(by time: Duration) throws {
    let target = runtime.clock.now + time
    while runtime.clock.step(before: target) { try startAgain() }
    runtime.clock.move(to: target, stepping: true)
    while runtime.clock.runFirstDueTimer() { try startAgain() }
  }

  /// What it would tell who asks, in the end.
  var summary: [String] {
    runtime.signals.map { signal in
      let retained = signal.retained.latest(5).map {
        "\($0.sequence)=\(String(decoding: $0.payload.json, as: UTF8.self))"
      }
      let losses = "errors \(signal.losses.errors) dropped \(signal.losses.dropped)"
      return "\(signal.name) \(losses) retains \(retained) takes \(signal.acceptsValues)"
        + " ended \(String(describing: signal.end?.ending)) at \(signal.end?.time ?? 0) for \(signal.end?.cause ?? "-")"
    } + ["\(runtime.turns) turns", "next at \(String(describing: runtime.nextDeadline))"]
  }

  /// The first thing that another one says differently, or how it stands differently in the end.
  func difference(from other: OracleGraph, since start: Int) -> String? {
    for index in start..<max(log.count, other.log.count) {
      let (own, others) = (log.dropFirst(index).first, other.log.dropFirst(index).first)
      if own != others { return "it says \(own ?? "nothing"); once restarted \(others ?? "nothing")" }
    }
    let (own, others) = (summary, other.summary)
    return zip(own, others).first { $0 != $1 }.map { "it stands as \($0); once restarted as \($1)" }
  }

  // MARK: The world

  func contents(ofFile path: String, limit: Int) -> [UInt8]? { nil }
  func write(_ content: [UInt8], toFile path: String) throws(SignalFailure) {}
  func watch(file path: String, _ changed: @escaping (ContentChange) -> Void) -> any Disposable { AnyDisposable {} }
  func tail(
    file path: String, from place: TailPlace?, _ receive: @escaping (TailEvent) -> Void
  ) -> any Disposable { AnyDisposable {} }
  func log(_ message: String, signal: String) { note("\(signal) logs \(message)") }
  func start(_ program: Program, _ receive: @escaping (ProgramEvent) -> Void) -> any RunningProgram {
    let played = PlayedProgram(program, receive)
    programs[program.owner] = played
    return played
  }
}

extension Payload {
  /// As a client's value comes in.
  static func received(_ json: String) -> Payload {
    var parser = JSONParser()
    var outline = Outline()
    let bytes = Array(json.utf8)
    precondition(parser.isValue(bytes.span, outline: &outline), "\(json) is a value")
    return .raw(RawJSON(validated: bytes.span, outline: outline))
  }
}
