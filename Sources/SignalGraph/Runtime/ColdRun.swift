import JSON
import ReactiveCore

/// One subscriber's own run of a cold signal.
package final class ColdRun {
  /// The number of its last value so far, counted from 1.
  package private(set) var sequence: UInt64 = 0
  private let body: RunningBody
  private var observation: (any Disposable)?
  private let observer: (SignalEvent) -> Void

  init(of signal: RunningSignal, observer: @escaping (SignalEvent) -> Void) {
    body = RunningBody(of: signal, view: .fromNowOn)
    self.observer = observer
  }

  func start() {
    let stream = body.build()
    observation = stream.observe(
      StreamObserver(value: { [unowned self] in receive($0) }, ending: { [unowned self] in end($0) }))
    body.start()
  }

  private func receive(_ payload: Payload) {
    guard body.signal.admits(payload) else { return }
    sequence += 1
    observer(.next(payload, sequence: sequence))
  }

  private func end(_ ending: Ending<SignalFailure>) {
    observer(.ended(SignalEnding(ending)))
    body.end()
  }

  /// Ends it without a word.
  package func stop() {
    observation?.dispose()
    body.end()
  }
}
