import GraphEngine
import GraphModel
import JSON
import Signals

/// The values of a signal that waits for its turn, within a limit.
private final class QueuedSignal: KeptMemory, StateFields {
  private var waiting: Waiting<Payload>
  private var ending: SignalEnding?
  private var listener: StreamObserver?

  init(_ waiting: Waiting<Payload>) {
    self.waiting = waiting
    keep()
  }

  /// - Throws: `overflow`, if the policy is to fail.
  func take(_ event: Stream.Event) throws(SignalFailure) {
    if let listener { return listener.send(event) }
    if let value = event.value { try waiting.append(value) } else { ending = event.ending.map(SignalEnding.init) }
  }

  /// Resets the ending when the signal restarts.
  func restartSignals() { ending = nil }

  /// Returns a stream of the queued values, followed by new ones.
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

  func code(_ field: inout StateCoder<QueuedSignal>) throws(StateError) {
    try field(&waiting)
    try field(&ending)
  }
}

extension OperatorContext {
  /// Returns a recipe that follows another signal.
  ///
  /// A signal that is already running is observed from now on, and its values wait in a queue; an inline, cold or lazy
  /// signal is started by the recipe.
  ///
  /// - Parameter output: Fails when more values wait than the limit.
  func following(
    _ reference: SignalReference, limit: Int, _ overflow: OverflowPolicy, failing output: StreamObserver,
    _ lifetime: Lifetime
  ) -> Recipe {
    guard runsAnyway(reference) else { return recipe(of: reference) }
    let queued = QueuedSignal(Waiting(limit: limit, overflow: overflow, self))
    let subscription = UpstreamSubscription(input(of: reference), in: signal, lifetime) { event in
      do throws(SignalFailure) { try queued.take(event) } catch { output.send(error: error) }
    }
    subscription.onRestart = { queued.restartSignals() }
    subscription.begin()
    return body.recipe(at: place) { queued.stream(in: $0) }
  }

  /// Delays the input until those referenced signals have settled that are not already running.
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
