import JSON
import ReactiveCore

/// One body at work: what has to be started, and what has to be let go when it ends.
///
/// A named signal has one for as long as it runs. What is started when it is chosen, or again, has one for each time.
final class RunningBody {
  /// What it sees of the named signals that it is computed from.
  enum View {
    /// Everything: it is connected to them before they start.
    case connected
    /// What they make after the turn in which it was chosen, and what they give newcomers; each turn settled.
    case fromNowOn
    /// The same, and what they made in that turn.
    case presentTurn
  }

  /// The signal that it belongs to, by its name or as a part of its declaration.
  let signal: RunningSignal
  /// What the operators around it let its expressions see, in the order of their nesting.
  let variables: [JSONValue]
  private var starters: [() -> Void] = []
  private var resources: [() -> Void] = []
  let view: View
  /// Whether its streams are all there, so that what it starts from now on was chosen.
  private var isBuilt = false
  private(set) var hasEnded = false

  init(of signal: RunningSignal, variables: [JSONValue] = [], view: View) {
    self.signal = signal
    self.variables = variables
    self.view = view
  }

  var engine: GraphEngine { signal.engine }

  // MARK: Building

  /// Builds the body of its signal.
  func build() -> Stream { build { $0.stream(of: signal.declaration.body, onError: .drop) } }

  /// Builds the signal's own run, for which a test may speak.
  ///
  /// - Returns: The stream up to the last operator, and that one by itself where it works on each value: the
  ///   observer does that at once, which saves the operator a stream of its own.
  func buildNamed() -> (stream: Stream, last: Step?) {
    let declared = signal.declaration.body
    guard case .each(let make)? = declared.pipe.last?.work, let last = declared.pipe.last else {
      return (build { $0.stream(of: declared, onError: .drop, isNamed: true) }, nil)
    }
    let onError = declared.onError ?? .drop
    let stream = build { $0.stream(of: declared, upTo: declared.pipe.count - 1, onError, true) }
    return (stream, make(context(last, onError)))
  }

  private func build(_ make: (RunningBody) -> Stream) -> Stream {
    defer { isBuilt = true }
    return make(self)
  }

  /// The stream of a source and the operators behind it.
  func stream(of body: SignalBody, onError: ErrorPolicy, isNamed: Bool = false) -> Stream {
    stream(of: body, upTo: body.pipe.count, body.onError ?? onError, isNamed)
  }

  /// The stream of operators behind another stream.
  func stream(of pipe: [any PreparedOperator], behind input: Stream, onError: ErrorPolicy) -> Stream {
    pipe.reduce(input) { input, step in
      switch step.work {
      case .onward(let apply): apply(input, context(step, onError))
      case .each(let make): input.through(make(context(step, onError)))
      case .starting: preconditionFailure("\(step.name) was refused here")
      }
    }
  }

  /// What stands before an operator that starts it itself is a recipe.
  ///
  /// - Parameter isNamed: Whether it is the signal's own run, for which a test may speak.
  fileprivate func stream(of body: SignalBody, upTo count: Int, _ onError: ErrorPolicy, _ isNamed: Bool) -> Stream {
    guard count > 0 else { return source(of: body, onError, isNamed) }
    let step = body.pipe[count - 1]
    var context = context(step, onError)
    switch step.work {
    case .onward(let apply):
      if !step.references.isEmpty {
        context.upstream = Upstream(body: body, count: count - 1, onError: onError, isNamed: isNamed)
      }
      return apply(stream(of: body, upTo: count - 1, onError, isNamed), context)
    case .each(let make): return stream(of: body, upTo: count - 1, onError, isNamed).through(make(context))
    case .starting(_, let apply):
      let before = producer(at: context.place) { $0.stream(of: body, upTo: count - 1, onError, isNamed) }
      return stream(starting: apply(before, context))
    }
  }

  private func source(of body: SignalBody, _ onError: ErrorPolicy, _ isNamed: Bool) -> Stream {
    let context = context(body.source, onError)
    if isNamed && body.source.isHeld { context.signal.retain(atLeast: 1) }
    return engine.standIns.open(body.source, in: context)
  }

  private func context(_ step: any PreparedStep, _ onError: ErrorPolicy) -> OperatorContext {
    OperatorContext(body: self, step: step, onError: onError)
  }

  /// A producer each of whose runs is a body of its own.
  ///
  /// A run that is started while this is being built is a part of it, and begins with it; later ones were chosen, and
  /// have said what they say at once when they have been started.
  ///
  /// - Parameter place: That of the operator that starts them.
  func producer(
    at place: DeclaredPlace, adding variables: [JSONValue] = [], view: View = .fromNowOn,
    _ make: @escaping (RunningBody) -> Stream
  ) -> StreamProducer {
    StreamProducer { [self] observer, lifetime in
      if isBuilt, let failure = signal.tally.refusalOfRun(in: engine.turns.number, limit: engine.limits.turn) {
        return observer.send(error: failure)
      }
      let run = RunningBody(of: signal, variables: self.variables + variables, view: isBuilt ? view : self.view)
      lifetime.observeEnded { run.end() }
      lifetime += run.build(make).observe(observer)
      if isBuilt { engine.turns.settle(below: place.rank) { run.start() } } else { onStart { run.start() } }
    }
  }

  /// A part of this body, built once more by itself, to be started by the caller.
  func part(_ make: (RunningBody) -> Stream) -> (RunningBody, Stream) {
    let run = RunningBody(of: signal, variables: variables, view: view)
    return (run, run.build(make))
  }

  /// A stream of what a producer sends, started with this body.
  func stream(starting producer: StreamProducer) -> Stream {
    Stream { output, lifetime in lifetime += producer.start(output) }
  }

  // MARK: Starting and ending

  /// Has `action` run in the turn in which this starts, in the order of the declaration.
  func onStart(_ action: @escaping () -> Void) { starters.append(action) }

  /// Keeps the input of a stream that nothing else holds.
  func keep(_ input: StreamObserver) { onEnd { withExtendedLifetime(input) {} } }

  /// Has `action` run when this ends.
  func onEnd(_ action: @escaping () -> Void) { resources.append(action) }

  func start() {
    let starters = starters
    self.starters = []
    for starter in starters where !hasEnded { starter() }
  }

  /// Lets go of everything; the observer of its stream has left before.
  func end() {
    guard !hasEnded else { return }
    hasEnded = true
    starters = []
    for release in resources { release() }
    resources = []
  }
}

/// What stands before an operator in its pipe.
final class Upstream {
  private let body: SignalBody
  private let count: Int
  private let onError: ErrorPolicy
  private let isNamed: Bool

  init(body: SignalBody, count: Int, onError: ErrorPolicy, isNamed: Bool) {
    self.body = body
    self.count = count
    self.onError = onError
    self.isNamed = isNamed
  }

  /// The named signals that it is computed from.
  var names: [String] { (body.source.references + body.pipe.prefix(count).flatMap(\.references)).flatMap(\.names) }

  func make(in run: RunningBody) -> Stream { run.stream(of: body, upTo: count, onError, isNamed) }
}
