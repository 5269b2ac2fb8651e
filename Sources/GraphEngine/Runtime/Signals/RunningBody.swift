package import GraphModel
package import JSON
import Signals

/// A running body: the actions to run at its start, and the resources to release at its end.
///
/// A named signal has one for as long as it runs. A stream that is started when it is chosen, or again, has one for
/// each time.
package final class RunningBody {
  /// Its view of the named signals that it is computed from.
  package enum View: UInt8 {
    /// All events: it is connected to them before they start.
    case connected
    /// The retained values, and those emitted after the turn in which it was chosen; each turn settled.
    case fromNowOn
    /// As `fromNowOn`, with the values of that turn as well.
    case presentTurn
  }

  /// The signal that it belongs to, by name or as a part of its declaration.
  package let signal: RunningSignal
  /// The owner of the run: its own signal or, if that is cold, another signal or a subscriber.
  let owner: BodyOwner
  /// The variables that enclosing operators define for its expressions, from the outermost.
  let variables: [JSONValue]
  private var starters: [() -> Void] = []
  private var resources: [() -> Void] = []
  let view: View
  /// True if it resumes from a saved state: it has started before, and emits nothing at its start.
  package let isRestored: Bool
  /// The memories of its parts, if state is kept.
  private let memory: BodyMemory?
  /// True once all its streams are built, so that later starts are those of chosen streams.
  private(set) var isBuilt = false
  package private(set) var hasEnded = false

  /// - Parameter kept: Its saved state.
  init(
    of signal: RunningSignal, for owner: BodyOwner, variables: [JSONValue] = [], view: View, kept: StateDecoder? = nil
  ) {
    self.signal = signal
    self.owner = owner
    self.variables = variables
    memory = signal.engine.keepsState ? BodyMemory(of: owner.signal) : nil
    isRestored = kept != nil
    var view = view
    if var reader = kept {
      do throws(StateError) {
        view = View(rawValue: try reader.byte()) ?? view
        try memory?.restore(from: &reader)
      } catch {
        signal.engine.note(error, of: owner.signal.name)
      }
    }
    self.view = view
    engine.recorder?.begin(self)
  }

  var engine: GraphEngine { signal.engine }

  /// Discards the saved state, so that its parts begin empty.
  func discardKept() { memory?.discardKept() }

  /// Encodes the memories of its parts.
  func encode(to writer: inout StateEncoder) {
    writer.byte(view.rawValue)
    memory?.encode(to: &writer)
  }

  /// The places of its declaration with a memory, if state is kept.
  package var placesWithMemory: Set<Int> { memory?.places ?? [] }

  /// Returns the values remembered at a place, if state is kept.
  package func remembered(at place: Int) -> [Any] { memory?.remembered(at: place) ?? [] }

  // MARK: Building

  /// Builds the body of its signal.
  func build() -> Stream { build(at: 0) { $0.stream(of: signal.declaration.body, onError: ErrorRoute(.drop)) } }

  /// Builds the signal's own run, which a test may stand in for.
  ///
  /// - Returns: The stream up to the last operators that work on each value, and separately these: the observer applies
  ///   them itself, which saves a stream.
  func buildNamed() -> (stream: Stream, last: [MadeStep]) {
    let declared = signal.declaration.body
    // Emitted errors leave after the last operator.
    guard case .each? = declared.pipe.last?.part, declared.onError != .emit else {
      return (build(at: 0) { $0.stream(of: declared, onError: ErrorRoute(.drop), isNamed: true) }, [])
    }
    let onError = ErrorRoute(declared.onError ?? .drop)
    let row = row(endingAt: declared.pipe.count, of: declared.pipe)
    var steps: [MadeStep] = []
    let stream = build(at: 0) { body in
      var stream = body.stream(of: declared, upTo: declared.pipe.count - row.count, onError, true)
      for each in row {
        let waiting = body.starters.count
        steps.append(body.made(each, onError))
        if steps.count < row.count { stream = body.kept(stream, behind: each.step, waiting) }
      }
      return stream
    }
    if let recorder = engine.recorder, let made = steps.popLast(), let last = row.last {
      steps.append(MadeStep(recorder.tap(made.step, at: last.step.ranks.exit, of: self)))
    }
    return (stream, steps)
  }

  /// An operator that works on each value.
  private struct EachStep {
    let step: any PreparedOperator
    let make: (OperatorContext) -> Step
  }

  /// Returns the operators in a row that work on each value, the last one before a place: one stream serves all of them.
  ///
  /// If the output of each is recorded, only the last one is returned.
  private func row(endingAt end: Int, of pipe: [any PreparedOperator]) -> [EachStep] {
    var row: [EachStep] = []
    while row.count < end, mayAppend(to: row), case .each(let make) = pipe[end - row.count - 1].part {
      row.insert(EachStep(step: pipe[end - row.count - 1], make: make), at: 0)
    }
    return row
  }

  private func mayAppend(to row: [EachStep]) -> Bool { row.isEmpty || engine.recorder == nil }

  /// Builds a step at its place, so that its memory is saved.
  private func made(_ each: EachStep, _ onError: ErrorRoute) -> MadeStep {
    at(each.step) { MadeStep(each.make(context(each.step, onError))) }
  }

  /// Returns the stream of a step, so that its end is recorded.
  ///
  /// - Parameter waiting: The number of actions for the start that were registered before the step.
  private func kept(_ stream: Stream, behind step: any PreparedStep, _ waiting: Int) -> Stream {
    guard let memory else { return stream }
    let (stream, hadEnded) = memory.stage(step.ranks.exit) { stream }
    // A stream that had ended must emit nothing.
    if hadEnded { starters.removeSubrange(waiting...) }
    return stream
  }

  /// - Parameter place: The place in the declaration.
  func build(at place: Int, _ make: (RunningBody) -> Stream) -> Stream {
    defer {
      isBuilt = true
      memory?.finish()
    }
    guard let memory else { return make(self) }
    return memory.at(place) { make(self) }
  }

  /// Builds a part at its place, so that its memory is saved.
  private func at<Result>(_ step: any PreparedStep, _ build: () -> Result) -> Result {
    guard let memory else { return build() }
    return memory.at(step.ranks.exit, build)
  }

  /// Builds one of its streams at its place, so that its end is recorded.
  func stage(_ place: Int, _ build: () -> Stream) -> Stream {
    let stream = keptStage(place, build)
    return engine.recorder?.tap(stream, at: place, of: self) ?? stream
  }

  private func keptStage(_ place: Int, _ build: () -> Stream) -> Stream {
    guard let memory else { return build() }
    let before = starters.count
    let (stream, hadEnded) = memory.stage(place, build)
    // A stream that had ended must emit nothing.
    if hadEnded { starters.removeSubrange(before...) }
    return stream
  }

  /// Returns the stream of operators in a row that work on each value, after another stream.
  private func stream(of row: [EachStep], behind input: Stream, _ onError: ErrorRoute) -> Stream {
    if row.isEmpty { return input }
    if row.count == 1 { return stage(row[0].step) { input.through([made(row[0], onError)]) } }
    let waiting = starters.count
    let stream = input.through(row.map { made($0, onError) })
    return row.reduce(stream) { kept($0, behind: $1.step, waiting) }
  }

  private func stage(_ step: any PreparedStep, _ build: () -> Stream) -> Stream { stage(step.ranks.exit, build) }

  /// Returns the stream of a source and the operators after it.
  func stream(of body: SignalBody, onError: ErrorRoute, isNamed: Bool = false) -> Stream {
    guard let policy = body.onError else { return stream(of: body, upTo: body.pipe.count, onError, isNamed) }
    guard policy == .emit, engine.rules != .first else {
      return stream(of: body, upTo: body.pipe.count, ErrorRoute(policy), isNamed)
    }
    let exit = ErrorExit()
    onEnd { exit.close() }
    return exit.joining(stream(of: body, upTo: body.pipe.count, ErrorRoute(policy, leavingBy: exit), isNamed))
  }

  /// Returns the stream of operators after another stream.
  package func stream(of pipe: [any PreparedOperator], behind input: Stream, onError: ErrorRoute) -> Stream {
    var (stream, row) = (input, [EachStep]())
    for step in pipe {
      switch step.part {
      case .each(let make):
        if !mayAppend(to: row) { (stream, row) = (self.stream(of: row, behind: stream, onError), []) }
        row.append(EachStep(step: step, make: make))
      case .onward(let apply):
        (stream, row) = (self.stream(of: row, behind: stream, onError), [])
        stream = stage(step) { apply(stream, context(step, onError)) }
      case .starting: preconditionFailure("\(step.name) was rejected")
      }
    }
    return self.stream(of: row, behind: stream, onError)
  }

  /// Returns the stream of a pipe up to a step; the part before an operator that starts its input is a recipe.
  ///
  /// - Parameter isNamed: True for the signal's own run, which a test may stand in for.
  fileprivate func stream(of body: SignalBody, upTo count: Int, _ onError: ErrorRoute, _ isNamed: Bool) -> Stream {
    guard count > 0 else { return stage(body.source) { source(of: body, onError, isNamed) } }
    let step = body.pipe[count - 1]
    var context = context(step, onError)
    switch step.part {
    case .onward(let apply):
      if !step.references.isEmpty {
        context.upstream = Upstream(body: body, count: count - 1, onError: onError, isNamed: isNamed)
      }
      let input = stream(of: body, upTo: count - 1, onError, isNamed)
      return stage(step) { apply(input, context) }
    case .each:
      let row = row(endingAt: count, of: body.pipe)
      return stream(of: row, behind: stream(of: body, upTo: count - row.count, onError, isNamed), onError)
    case .starting(_, let apply):
      let before = recipe(at: context.place) { $0.stream(of: body, upTo: count - 1, onError, isNamed) }
      return stage(step) { apply(before, context) }
    }
  }

  private func source(of body: SignalBody, _ onError: ErrorRoute, _ isNamed: Bool) -> Stream {
    let context = context(body.source, onError)
    if isNamed && body.source.isHeld { context.signal.retain(atLeast: 1) }
    return engine.standIns.open(body.source, in: context)
  }

  private func context(_ step: any PreparedStep, _ onError: ErrorRoute) -> OperatorContext {
    OperatorContext(body: self, step: step, onError: onError)
  }

  /// Returns a recipe for a part of it.
  ///
  /// - Parameter place: The place of the operator that starts it.
  package func recipe(
    at place: DeclaredPlace, adding variables: [JSONValue] = [], view: View = .fromNowOn,
    _ make: @escaping (RunningBody) -> Stream
  ) -> Recipe {
    Recipe(parent: self, place: place, variables: variables, view: view, make: make)
  }

  /// Builds a part of this body again by itself, to be started by the caller.
  func part(at place: Int, kept: StateDecoder? = nil, _ make: (RunningBody) -> Stream) -> (RunningBody, Stream) {
    let run = RunningBody(of: signal, for: owner, variables: variables, view: view, kept: kept)
    return (run, run.build(at: place, make))
  }

  // MARK: Starting and ending

  /// Runs `action` in the turn of the first start, in the order of the declaration.
  package func onStart(_ action: @escaping () -> Void) {
    if !isRestored { starters.append(action) }
  }

  /// Runs `action` in the turn in which this starts or resumes, to attach to the world.
  func onAttach(_ action: @escaping () -> Void) { starters.append(action) }

  /// Starts a body that is a part of this one, and has been built, together with this one.
  func add(_ body: RunningBody) {
    if !isRestored || body.isWaiting { starters.append { body.start() } }
  }

  /// Retains the input of a stream that nothing else holds.
  package func keep(_ input: StreamObserver) { onEnd { withExtendedLifetime(input) {} } }

  /// Runs `action` when this ends.
  package func onEnd(_ action: @escaping () -> Void) { resources.append(action) }

  /// True if actions for the start are pending.
  var isWaiting: Bool { !starters.isEmpty }

  func start() {
    let starters = starters
    self.starters = []
    for starter in starters where !hasEnded { starter() }
  }

  /// Releases everything; the observer of its stream was removed before.
  func end() {
    guard !hasEnded else { return }
    hasEnded = true
    starters = []
    for release in resources { release() }
    resources = []
    memory?.discard()
  }
}

/// The owner of a body.
struct BodyOwner {
  let signal: RunningSignal
  /// The number of the run, for a subscriber's run of a cold signal.
  var run: UInt64 = 0
}

/// The part of a pipe before an operator.
final class Upstream {
  private let body: SignalBody
  private let count: Int
  private let onError: ErrorRoute
  private let isNamed: Bool

  init(body: SignalBody, count: Int, onError: ErrorRoute, isNamed: Bool) {
    self.body = body
    self.count = count
    self.onError = onError
    self.isNamed = isNamed
  }

  /// The named signals that it is computed from.
  var names: [String] { (body.source.references + body.pipe.prefix(count).flatMap(\.references)).flatMap(\.names) }

  func make(in run: RunningBody) -> Stream { run.stream(of: body, upTo: count, onError, isNamed) }
}
