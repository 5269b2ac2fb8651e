import JSON
import ReactiveCore

/// One body at work: what has to be started, and what has to be let go when it ends.
///
/// A named signal has one for as long as it runs. An inline declaration that is started when it is chosen has one for
/// each time.
final class RunningBody {
  /// The signal that it belongs to, by its name or as a part of its declaration.
  let signal: RunningSignal
  /// What the operators around it let its expressions see, in the order of their nesting.
  let variables: [JSONValue]
  /// Whether it was chosen while the graph runs, and so sees other signals through a `Gate`.
  let isChosen: Bool
  private var starters: [() -> Void] = []
  private var inputs: [StreamObserver] = []
  private var resources: [() -> Void] = []
  private(set) var hasEnded = false

  init(of signal: RunningSignal, variables: [JSONValue] = [], isChosen: Bool) {
    self.signal = signal
    self.variables = variables
    self.isChosen = isChosen
  }

  var engine: GraphEngine { signal.engine }

  // MARK: Building

  /// The stream of a source and the operators behind it.
  ///
  /// - Parameter isNamed: Whether it is the signal's own, for which a test may speak.
  func stream(of body: SignalBody, onError: ErrorPolicy = .drop, isNamed: Bool = false) -> Stream {
    stream(of: body, upTo: body.pipe.count, body.onError ?? onError, isNamed)
  }

  /// What stands before an operator that may start it again is a recipe, started with this body.
  private func stream(of body: SignalBody, upTo count: Int, _ onError: ErrorPolicy, _ isNamed: Bool) -> Stream {
    guard count > 0 else { return source(of: body, onError, isNamed) }
    let step = body.pipe[count - 1]
    let context = context(step.name, step.ranks, onError)
    switch step.work {
    case .onward(let apply): return apply(stream(of: body, upTo: count - 1, onError, isNamed), context)
    case .restarting(let restart):
      let before = producer { $0.stream(of: body, upTo: count - 1, onError, isNamed) }
      return stream(starting: restart(before, context))
    }
  }

  private func source(of body: SignalBody, _ onError: ErrorPolicy, _ isNamed: Bool) -> Stream {
    let context = context(body.source.name, body.source.ranks, onError)
    let source = { body.source.build(context) }
    return isNamed ? engine.standIns.open(source, of: signal.declaration, in: context) : source()
  }

  private func context(_ name: String, _ ranks: Ranks, _ onError: ErrorPolicy) -> OperatorContext {
    OperatorContext(body: self, operatorName: name, ranks: ranks, onError: onError)
  }

  /// A producer each of whose runs is a body of its own.
  func producer(
    of signal: RunningSignal? = nil, adding variables: [JSONValue] = [], _ build: @escaping (RunningBody) -> Stream
  ) -> StreamProducer {
    let (signal, variables) = (signal ?? self.signal, self.variables + variables)
    return StreamProducer { observer, lifetime in
      let body = RunningBody(of: signal, variables: variables, isChosen: true)
      let stream = build(body)
      lifetime += stream.observe(observer)
      lifetime.observeEnded { body.end() }
      body.start()
    }
  }

  /// A stream of what a producer sends once this body is started.
  func stream(starting producer: StreamProducer) -> Stream {
    Stream { output, lifetime in
      onStart { lifetime += producer.start(output) }
    }
  }

  // MARK: Starting and ending

  /// Has `action` run in the turn in which this starts, in the order of the declaration.
  func onStart(_ action: @escaping () -> Void) { starters.append(action) }

  /// Keeps the input of a stream that nothing else holds.
  func keep(_ input: StreamObserver) { inputs.append(input) }

  /// Has `action` run when this ends.
  func onEnd(_ action: @escaping () -> Void) { resources.append(action) }

  func start() {
    let starters = starters
    self.starters = []
    for starter in starters where !hasEnded { starter() }
  }

  /// Lets go of everything; whoever observes its stream has left before.
  func end() {
    guard !hasEnded else { return }
    hasEnded = true
    starters = []
    inputs = []
    for release in resources { release() }
    resources = []
  }
}
