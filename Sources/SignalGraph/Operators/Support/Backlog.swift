import JSON
import ReactiveCore

/// What a signal sent while it was not its turn, held within a bound.
private final class Backlog {
  private var waiting: Waiting<Payload>
  private var ending: Ending<SignalFailure>?
  private var listener: StreamObserver?

  init(_ waiting: Waiting<Payload>) { self.waiting = waiting }

  /// - Throws: `overflow`, where the bound asks for a failure.
  func take(_ event: Stream.Event) throws(SignalFailure) {
    if let listener { return listener.send(event) }
    if let value = event.value { try waiting.append(value) } else { ending = event.ending }
  }

  /// The signal starts anew, and has not ended any more.
  func renew() { ending = nil }

  /// Sends what was held, and from now on what comes.
  func start(_ listener: StreamObserver) {
    while let value = waiting.popFirst() { listener.send(value: value) }
    if let ending { listener.send(ending) }
    self.listener = listener
  }
}

extension OperatorContext {
  /// A signal that follows another.
  ///
  /// What runs anyway is heard from now on, and its values wait for their turn; what is declared on the spot, cold or
  /// lazy starts when its turn has come.
  ///
  /// - Parameter output: Fails when more values wait than may.
  func following(
    _ reference: SignalReference, limit: Int, _ overflow: Overflow, failing output: StreamObserver, _ lifetime: Lifetime
  ) -> StreamProducer {
    guard runsAnyway(reference) else { return producer(of: reference) }
    let backlog = Backlog(Waiting(limit: limit, overflow: overflow, self))
    let hearing = Hearing(input(of: reference), in: signal, lifetime) { event in
      do throws(SignalFailure) { try backlog.take(event) } catch { output.send(error: error) }
    }
    hearing.onRenewal = { backlog.renew() }
    hearing.begin()
    return StreamProducer { observer, _ in backlog.start(observer) }
  }

  /// What must have settled before a signal that may start others: those of them that do not run anyway.
  func gated(_ input: Stream, beforeStarting references: ArraySlice<SignalReference>) -> Stream {
    gated(input, before: references.filter { !runsAnyway($0) })
  }

  func gated(_ input: StreamProducer, beforeStarting references: ArraySlice<SignalReference>) -> StreamProducer {
    gated(input, before: references.filter { !runsAnyway($0) })
  }

  private func runsAnyway(_ reference: SignalReference) -> Bool {
    guard case .named(let name) = reference.target else { return false }
    return signal(named: name).declaration.traits.run == .always
  }
}
