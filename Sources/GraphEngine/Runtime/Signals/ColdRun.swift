import GraphModel
import JSON
package import Signals

/// One subscriber's own run of a cold signal.
///
/// A reload that changes the signal halts it and restarts it; its sequence numbers continue.
package final class ColdRun {
  /// The sequence number of its last value.
  package private(set) var sequence: UInt64
  /// The number of the run among all runs, in the order of their creation.
  package let number: UInt64
  private unowned let signal: RunningSignal
  private let observer: (SignalEvent) -> Void
  private var body: RunningBody?
  private var observation: (any Disposable)?
  private var hasEnded = false
  /// Its saved state, until it resumes.
  private var kept: StateDecoder?

  /// - Parameter sequence: The number after which it begins to count.
  init(of signal: RunningSignal, after sequence: UInt64, observer: @escaping (SignalEvent) -> Void) {
    self.signal = signal
    self.sequence = sequence
    number = signal.engine.nextRun()
    self.observer = observer
  }

  /// Creates a run that resumes under its own number.
  init(of signal: RunningSignal, number: UInt64, kept: StateDecoder?, observer: @escaping (SignalEvent) -> Void) {
    self.signal = signal
    self.number = number
    self.kept = kept
    sequence = 0
    self.observer = observer
  }

  /// Begins within a turn, unless it is under way or over.
  func begin() {
    guard body == nil, !hasEnded else { return }
    build().start()
  }

  private func build(kept: StateDecoder? = nil) -> RunningBody {
    let body = RunningBody(
      of: signal, for: BodyOwner(signal: signal, run: number), view: .fromNowOn, kept: kept)
    self.body = body
    observation = body.build().observe(
      StreamObserver(value: { [unowned self] in receive($0) }, ending: { [unowned self] in end($0) }))
    return body
  }

  /// Stops the present run silently; it can be restarted.
  func halt() {
    observation?.dispose()
    observation = nil
    body?.end()
    body = nil
  }

  /// Ends it for good, silently.
  package func stop() {
    hasEnded = true
    halt()
    signal.discard(self)
  }

  private func receive(_ payload: Payload) {
    guard signal.admits(payload) else { return }
    sequence += 1
    observer(.next(payload, sequence: sequence))
  }

  private func end(_ ending: Ending<SignalFailure>) {
    hasEnded = true
    observer(.ended(SignalEnding(ending)))
    body?.end()
  }
}

// MARK: - Saving

extension ColdRun: StateFields {
  package func code(_ field: inout StateCoder<ColdRun>) throws(StateError) {
    try field(&sequence)
    try field(&hasEnded)
    if try field({ $0.body.map { !$0.hasEnded } ?? false }) {
      try field.part({ $0.body?.encode(to: &$1) }) { _ = build(kept: $0) }
    }
  }

  /// Resumes from the saved state.
  func resume() {
    guard var reader = kept.take() else { return }
    do throws(StateError) { try restore(from: &reader) } catch { signal.engine.note(error, of: signal.name) }
  }

  var isWaitingForWorld: Bool { body?.isWaiting ?? false }

  func attachToWorld() { body?.start() }
}
