import JSON
import ReactiveCore

/// One body at work: what has to be started, and what has to be let go when it ends.
///
/// A named signal has one for as long as it runs. A stream that is started when it is chosen, or again, has one for
/// each time.
final class RunningBody {
  /// Its view of the named signals that it is computed from.
  enum View: UInt8 {
    /// Everything: it is connected to them before they start.
    case connected
    /// The values that they make after the turn in which it was chosen, and those for newcomers; each turn settled.
    case fromNowOn
    /// The same, and what they made in that turn.
    case presentTurn
  }

  /// The signal that it belongs to, by its name or as a part of its declaration.
  let signal: RunningSignal
  /// The one for whom it runs: its own signal or, if that is cold, another one or a subscriber.
  let owner: BodyOwner
  /// The variables that the operators around it give its expressions, in the order of their nesting.
  let variables: [JSONValue]
  private var starters: [() -> Void] = []
  private var resources: [() -> Void] = []
  let view: View
  /// Whether it goes on from what was kept of it: it has begun before, and says nothing at its start.
  let isRestored: Bool
  /// The memories of its parts, where they are kept.
  private let memory: BodyMemory?
  /// Whether its streams are all there, so that what it starts from now on was chosen.
  private(set) var isBuilt = false
  private(set) var hasEnded = false

  /// - Parameter kept: Its kept state.
  init(
    of signal: RunningSignal, for owner: BodyOwner, variables: [JSONValue] = [], view: View, kept: StateReader? = nil
  ) {
    self.signal = signal
    self.owner = owner
    self.variables = variables
    memory = signal.engine.keepsState ? BodyMemory(signal.engine) : nil
    isRestored = kept != nil
    var view = view
    if var reader = kept {
      do throws(StateError) {
        view = View(rawValue: try reader.byte()) ?? view
        try memory?.restore(from: &reader)
      } catch {
        signal.engine.note(error)
      }
    }
    self.view = view
    engine.watch?.begin(self)
  }

  var engine: GraphEngine { signal.engine }

  /// Has its parts, which are to be built, begin with nothing.
  func forgetKept() { memory?.forgetKept() }

  /// Writes down what its parts remember.
  func store(in writer: inout StateWriter) {
    writer.byte(view.rawValue)
    memory?.store(in: &writer)
  }

  /// The places of its declaration where something is remembered, as far as that is kept.
  var placesWithMemory: Set<Int> { memory?.places ?? [] }

  /// The things that are remembered at a place, as far as they are kept.
  func remembered(at place: Int) -> [Any] { memory?.remembered(at: place) ?? [] }

  // MARK: Building

  /// Builds the body of its signal.
  func build() -> Stream { build(at: 0) { $0.stream(of: signal.declaration.body, onError: .drop) } }

  /// Builds the signal's own run, for which a test may speak.
  ///
  /// - Returns: The stream up to the last operator, and that one by itself where it works on each value: the
  ///   observer does that at once, which saves the operator a stream of its own.
  func buildNamed() -> (stream: Stream, last: Step?) {
    let declared = signal.declaration.body
    guard case .each(let make)? = declared.pipe.last?.work, let last = declared.pipe.last else {
      return (build(at: 0) { $0.stream(of: declared, onError: .drop, isNamed: true) }, nil)
    }
    let onError = declared.onError ?? .drop
    var step: Step?
    let stream = build(at: 0) { body in
      defer { step = body.at(last) { make(context(last, onError)) } }
      return body.stream(of: declared, upTo: declared.pipe.count - 1, onError, true)
    }
    if let watch = engine.watch, let made = step { step = watch.tap(made, at: last.ranks.exit, of: self) }
    return (stream, step)
  }

  /// - Parameter place: Where it stands in the declaration.
  func build(at place: Int, _ make: (RunningBody) -> Stream) -> Stream {
    defer {
      isBuilt = true
      memory?.finish()
    }
    guard let memory else { return make(self) }
    return memory.at(place) { make(self) }
  }

  /// Builds a part of it at its place, so that what it remembers is kept.
  private func at<Result>(_ step: any PreparedStep, _ build: () -> Result) -> Result {
    guard let memory else { return build() }
    return memory.at(step.ranks.exit, build)
  }

  /// Builds one of its streams at its place, so that it is known whether it has ended.
  func stage(_ place: Int, _ build: () -> Stream) -> Stream {
    let stream = keptStage(place, build)
    return engine.watch?.tap(stream, at: place, of: self) ?? stream
  }

  private func keptStage(_ place: Int, _ build: () -> Stream) -> Stream {
    guard let memory else { return build() }
    let before = starters.count
    let (stream, hadEnded) = memory.stage(place, build)
    // Nothing is to be heard of what had ended.
    if hadEnded { starters.removeSubrange(before...) }
    return stream
  }

  private func stage(_ step: any PreparedStep, _ build: () -> Stream) -> Stream { stage(step.ranks.exit, build) }

  /// The stream of a source and the operators behind it.
  func stream(of body: SignalBody, onError: ErrorPolicy, isNamed: Bool = false) -> Stream {
    stream(of: body, upTo: body.pipe.count, body.onError ?? onError, isNamed)
  }

  /// The stream of operators behind another stream.
  func stream(of pipe: [any PreparedOperator], behind input: Stream, onError: ErrorPolicy) -> Stream {
    pipe.reduce(input) { input, step in
      stage(step) {
        switch step.work {
        case .onward(let apply): apply(input, context(step, onError))
        case .each(let make): input.through(make(context(step, onError)))
        case .starting: preconditionFailure("\(step.name) was refused here")
        }
      }
    }
  }

  /// The part of a pipe before an operator that starts it itself is a recipe.
  ///
  /// - Parameter isNamed: Whether it is the signal's own run, for which a test may speak.
  fileprivate func stream(of body: SignalBody, upTo count: Int, _ onError: ErrorPolicy, _ isNamed: Bool) -> Stream {
    guard count > 0 else { return stage(body.source) { source(of: body, onError, isNamed) } }
    let step = body.pipe[count - 1]
    var context = context(step, onError)
    switch step.work {
    case .onward(let apply):
      if !step.references.isEmpty {
        context.upstream = Upstream(body: body, count: count - 1, onError: onError, isNamed: isNamed)
      }
      let input = stream(of: body, upTo: count - 1, onError, isNamed)
      return stage(step) { apply(input, context) }
    case .each(let make):
      let input = stream(of: body, upTo: count - 1, onError, isNamed)
      return stage(step) { input.through(make(context)) }
    case .starting(_, let apply):
      let before = recipe(at: context.place) { $0.stream(of: body, upTo: count - 1, onError, isNamed) }
      return stage(step) { apply(before, context) }
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

  /// How to start a part of it.
  ///
  /// - Parameter place: That of the operator that starts it.
  func recipe(
    at place: DeclaredPlace, adding variables: [JSONValue] = [], view: View = .fromNowOn,
    _ make: @escaping (RunningBody) -> Stream
  ) -> Recipe {
    Recipe(parent: self, place: place, variables: variables, view: view, make: make)
  }

  /// A part of this body, built once more by itself, to be started by the caller.
  func part(at place: Int, kept: StateReader? = nil, _ make: (RunningBody) -> Stream) -> (RunningBody, Stream) {
    let run = RunningBody(of: signal, for: owner, variables: variables, view: view, kept: kept)
    return (run, run.build(at: place, make))
  }

  // MARK: Starting and ending

  /// Has `action` run in the turn in which this starts for the first time, in the order of the declaration.
  func onStart(_ action: @escaping () -> Void) {
    if !isRestored { starters.append(action) }
  }

  /// Has `action` run in the turn in which this starts or goes on: it fetches something from the world.
  func onAttach(_ action: @escaping () -> Void) { starters.append(action) }

  /// Has a body that is a part of this one, and that has been built, start with it.
  func add(_ body: RunningBody) {
    if !isRestored || body.isWaiting { starters.append { body.start() } }
  }

  /// Keeps the input of a stream that nothing else holds.
  func keep(_ input: StreamObserver) { onEnd { withExtendedLifetime(input) {} } }

  /// Has `action` run when this ends.
  func onEnd(_ action: @escaping () -> Void) { resources.append(action) }

  /// Whether there is anything to be started.
  var isWaiting: Bool { !starters.isEmpty }

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
    memory?.forget()
  }
}

/// The one for whom a body runs.
struct BodyOwner {
  let signal: RunningSignal
  /// The number of the run, of a cold signal for a subscriber.
  var run: UInt64 = 0
}

/// The part of a pipe before an operator.
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
