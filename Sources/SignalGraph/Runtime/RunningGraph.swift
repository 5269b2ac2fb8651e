package import JSON
import ReactiveCore

/// One graph at work: its streams, its turns, and what has to be let go when it ends.
final class RunningGraph {
  let declaration: GraphDeclaration
  let clock: GraphClock
  let world: any GraphWorld
  private let standIns: StandIns
  /// A reload changes them while the graph runs.
  var limits: Limits
  let turns = Turns()
  /// Told of each value that an expression refused.
  private let refused: (RefusedValue) -> Void

  private var streams: [String: Stream] = [:]
  private var starters: [Starter] = []
  private var inputs: [StreamObserver] = []
  private let disposables = CompositeDisposable()
  private var declarations = 0
  /// The place in the file of the signal that is being built.
  private var building = 0

  /// Something to do at the start, and the place in the file of the signal that asked for it.
  private struct Starter {
    let position: Int
    let action: () -> Void
  }

  init(
    _ declaration: GraphDeclaration, signals: [String: RunningSignal], clock: GraphClock, world: any GraphWorld,
    limits: Limits, standIns: StandIns, refused: @escaping (RefusedValue) -> Void
  ) {
    self.declaration = declaration
    self.clock = clock
    self.world = world
    self.limits = limits
    self.standIns = standIns
    self.refused = refused
    let positions = Dictionary(uniqueKeysWithValues: declaration.signals.enumerated().map { ($1.name, $0) })
    for signal in declaration.buildOrder {
      guard let running = signals[signal.name] else { continue }
      building = positions[signal.name] ?? 0
      build(signal, as: running)
    }
  }

  private func build(_ signal: SignalDeclaration, as running: RunningSignal) {
    running.begin(in: self)
    let context = OperatorContext(graph: self, signal: running, onError: signal.traits.onError, operatorName: "")
    let source = signal.body.source.build(context.named(signal.body.source.name))
    var stream = standIns.open(source, of: signal, in: context).through(signal.body.pipe, in: context)
    if let initial = signal.traits.initial { stream = context.prefix(stream, [.value(initial)]) }
    stream = stream.filter { [unowned self] in admits($0, of: running) }
    streams[signal.name] = stream
    disposables.add(
      stream.observe(StreamObserver(value: { running.receive($0) }, ending: { running.end($0) })))
  }

  /// Whether a value that a signal made is within bounds; if not it is dropped, for everyone behind it too.
  private func admits(_ value: Payload, of signal: RunningSignal) -> Bool {
    guard turns.admitValue(limit: limits.turn) else {
      if signal.drop() { world.log("more than \(limits.turn) values in one turn", signal: signal.name) }
      return false
    }
    guard value.isWithin(bytes: limits.value) else {
      if signal.drop() { world.log("a value of more than \(limits.value) bytes", signal: signal.name) }
      return false
    }
    signal.isDropping = false
    return true
  }

  /// Builds a source and the operators behind it, for a named signal or an inline one.
  func build(_ body: SignalBody, in context: OperatorContext) -> Stream {
    body.source.build(context.named(body.source.name)).through(body.pipe, in: context)
  }

  func stream(named name: String) -> Stream {
    guard let stream = streams[name] else { preconditionFailure("\(name) is used before it is built") }
    return stream
  }

  func nextDeclaration() -> Int {
    declarations += 1
    return declarations
  }

  func onStart(_ action: @escaping () -> Void) { starters.append(Starter(position: building, action: action)) }
  func keep(_ input: StreamObserver) { inputs.append(input) }
  func keep(_ disposable: (any Disposable)?) { disposables.add(disposable) }
  func hold(_ signal: RunningSignal) { signal.retain(atLeast: 1) }

  func report(_ failure: SignalFailure, of operatorName: String, in signal: RunningSignal, value: JSONValue?) {
    signal.errors += 1
    refused(RefusedValue(signal: signal.name, operatorName: operatorName, value: value, failure: failure))
  }

  /// Lets all first values happen, as one turn, in the order of the file.
  func start() {
    let ordered = starters.enumerated().sorted { ($0.element.position, $0.offset) < ($1.element.position, $1.offset) }
    starters = []
    turns.run {
      for (_, starter) in ordered { starter.action() }
    }
  }

  /// Ends everything without a word to whoever is attached.
  func stop() {
    disposables.dispose()
    turns.run {
      for input in inputs { input.sendInterrupted() }
    }
    inputs = []
    streams = [:]
  }
}

/// A value that an expression refused.
package struct RefusedValue: Sendable {
  package let signal: String
  package let operatorName: String
  package let value: JSONValue?
  package let failure: SignalFailure
}
