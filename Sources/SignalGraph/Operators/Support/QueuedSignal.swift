import JSON
import ReactiveCore

/// The values that a signal sent while it was not its turn, held within a bound.
private final class QueuedSignal: KeptMemory {
  private var waiting: Waiting<Payload>
  private var ending: SignalEnding?
  private var listener: StreamObserver?

  init(_ waiting: Waiting<Payload>) {
    self.waiting = waiting
    keep()
  }

  /// - Throws: `overflow`, where the bound asks for a failure.
  func take(_ event: Stream.Event) throws(SignalFailure) {
    if let listener { return listener.send(event) }
    if let value = event.value { try waiting.append(value) } else { ending = event.ending.map(SignalEnding.init) }
  }

  /// The signal starts anew, and has not ended any more.
  func renew() { ending = nil }

  /// A stream of the values held, and from then on of those that come.
  func stream(in body: RunningBody) -> Stream {
    let (stream, output) = Stream.pipe()
    body.keep(output)
    if body.isRestored { listener = output } else { body.onStart { [self] in start(output) } }
    return stream
  }

  private func start(_ listener: StreamObserver) {
    while let value = waiting.popFirst() { listener.send(value: value) }
    if let ending { listener.end(with: ending) }
    self.listener = listener
  }

  func store(in writer: inout StateWriter) {
    waiting.store(in: &writer)
    ending.store(in: &writer)
  }

  func restore(from reader: inout StateReader) throws(StateError) {
    try waiting.restore(from: &reader)
    ending = try SignalEnding?(from: &reader)
  }
}

extension OperatorContext {
  /// A signal that follows another.
  ///
  /// A signal that runs anyway is heard from now on, and its values wait for their turn; one that is declared on the
  /// spot, cold or lazy starts when its turn has come.
  ///
  /// - Parameter output: Fails when more values wait than may.
  func following(
    _ reference: SignalReference, limit: Int, _ overflow: OverflowPolicy, failing output: StreamObserver,
    _ lifetime: Lifetime
  ) -> Recipe {
    guard runsAnyway(reference) else { return recipe(of: reference) }
    let queued = QueuedSignal(Waiting(limit: limit, overflow: overflow, self))
    let hearing = Hearing(input(of: reference), in: signal, lifetime) { event in
      do throws(SignalFailure) { try queued.take(event) } catch { output.send(error: error) }
    }
    hearing.onRenewal = { queued.renew() }
    hearing.begin()
    return body.recipe(at: place) { queued.stream(in: $0) }
  }

  /// The signals that must have settled before one that may start others: those of them that do not run anyway.
  func gated(_ input: Stream, beforeStarting references: ArraySlice<SignalReference>) -> Stream {
    gated(input, before: references.filter { !runsAnyway($0) })
  }

  func gated(_ input: Recipe, beforeStarting references: ArraySlice<SignalReference>) -> Recipe {
    gated(input, before: references.filter { !runsAnyway($0) })
  }

  private func runsAnyway(_ reference: SignalReference) -> Bool {
    guard case .named(let name) = reference.target else { return false }
    return signal(named: name).declaration.traits.run == .always
  }
}
