import JSON
import ReactiveCore

/// One subscriber's own run of a cold signal.
///
/// A reload that changes the signal halts it and begins it anew: its numbers go on.
package final class ColdRun {
  /// The number of its last value so far.
  package private(set) var sequence: UInt64
  /// Counts all runs, in the order of their arrival.
  let number: UInt64
  private unowned let signal: RunningSignal
  private let observer: (SignalEvent) -> Void
  private var body: RunningBody?
  private var observation: (any Disposable)?
  private var hasEnded = false

  /// - Parameter sequence: The number after which it begins to count.
  init(of signal: RunningSignal, after sequence: UInt64, observer: @escaping (SignalEvent) -> Void) {
    self.signal = signal
    self.sequence = sequence
    number = signal.engine.nextRun()
    self.observer = observer
  }

  /// Begins, within a turn, unless it is under way or over.
  func begin() {
    guard body == nil, !hasEnded else { return }
    let body = RunningBody(of: signal, view: .fromNowOn)
    self.body = body
    observation = body.build().observe(
      StreamObserver(value: { [unowned self] in receive($0) }, ending: { [unowned self] in end($0) }))
    body.start()
  }

  /// Ends what is under way without a word; it may begin anew.
  func halt() {
    observation?.dispose()
    observation = nil
    body?.end()
    body = nil
  }

  /// Ends it for good, without a word.
  package func stop() {
    hasEnded = true
    halt()
    signal.forget(self)
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
