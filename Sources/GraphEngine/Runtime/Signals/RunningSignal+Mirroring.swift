import GraphModel
import Signals

extension RunningSignal {
  /// True if its original must run for it: it mirrors a lazy signal, and has subscribers.
  package var wantsOriginal: Bool { isMirror && isLazy && isObserved }

  /// True if a mirror of it in another runtime has subscribers: see `GraphRuntime.setMirror`.
  package internal(set) var hasObservedMirror: Bool {
    get { listeners.hasObservedMirror }
    set { listeners.hasObservedMirror = newValue }
  }

  /// Reflects an event of its original.
  func reflect(_ event: SignalEvent, cause: String?) {
    switch event {
    case .next(let payload, let sequence):
      guard ending == nil else { return }
      self.sequence = sequence - 1
      losses.pass()
      deliver(payload)
    case .ended(let ending): end(ending, because: cause)
    }
  }

  /// Adopts the values, the number and the ending of its original, without notifying subscribers.
  ///
  /// - Parameters:
  ///   - onlyNumber: True if the original starts fresh, so that only its number continues.
  ///   - isDelivered: True if dependents have received them.
  ///   - ahead: The lead of the clock here over the original's.
  package func adopt(_ original: RunningSignal, onlyNumber: Bool, isDelivered: Bool, ahead: Duration) {
    sequence = original.sequence
    if onlyNumber { return }
    hasUndelivered = !isDelivered
    willDiscard?()
    lastTime = original.lastTime
    end = original.end
    losses = original.losses
    if let kept = original.memory { remembering().retention = kept.retention.moved(by: ahead) }
  }

  /// Delivers what it has adopted since its dependents were built, as if they had connected after that.
  func deliverAdopted() {
    if !hasUndelivered { return }
    hasUndelivered = false
    for payload in earlier(for: .connected) { outlet?.send(payload) }
    guard let ending else { return }
    outlet?.end(with: ending)
    outlet = nil
  }
}
