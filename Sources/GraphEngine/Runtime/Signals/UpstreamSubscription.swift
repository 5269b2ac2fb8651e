package import GraphModel
package import Signals

/// The subscription of a part of a signal to an input: until that ends, and again when its origin is restarted.
package final class UpstreamSubscription: KeptMemory, StateFields {
  /// The input until it is observed: a holder of this memory must not keep the stream running.
  private var stream: Stream?
  private let again: RestartableInput.Again?
  private let signal: RunningSignal
  private let lifetime: Lifetime
  private let take: (Stream.Event) -> Void
  /// Called on resubscription, before the input emits anything.
  package var onRestart: () -> Void = {}
  /// True if more events may arrive; once it has ended, only after a restart.
  private(set) var isOpen = true
  /// Its number among the ended inputs of its signal, once registered there.
  private(set) var registration: Int?
  /// The body that makes its input since the restart.
  private var run: RunningBody?
  private var keptRun: StateDecoder?

  /// - Parameter lifetime: The lifetime of the subscription.
  package init(
    _ input: RestartableInput, in signal: RunningSignal, _ lifetime: Lifetime, take: @escaping (Stream.Event) -> Void
  ) {
    stream = input.stream
    again = input.again
    self.signal = signal
    self.lifetime = lifetime
    self.take = take
    keep()
  }

  package func begin() {
    if let registration { register(registration) }
    guard let stream = stream.take() else { return }
    if let kept = keptRun.take(), let again {
      observe(adopt(again.build(kept: kept)))
    } else {
      observe(stream)
    }
  }

  private func observe(_ stream: Stream) {
    guard isOpen else { return }
    lifetime += stream.observe { event in
      if event.isTerminating { self.hasEnded() }
      self.take(event)
    }
  }

  private func hasEnded() {
    isOpen = false
    guard again != nil, registration == nil else { return }
    let number = signal.endedInputs.next()
    registration = number
    register(number)
  }

  private func register(_ number: Int) {
    signal.endedInputs.add(self, number)
    lifetime.observeEnded { [signal] in signal.endedInputs.remove(number) }
  }

  /// Resubscribes to an input that has ended and is computed from a restarted signal.
  ///
  /// - Returns: The body that has to be started for that.
  func resubscribe(_ restarted: Set<String>) -> RunningBody? {
    guard !isOpen, let again, again.names.contains(where: restarted.contains) else { return nil }
    isOpen = true
    let stream = adopt(again.build())
    onRestart()
    observe(stream)
    return run
  }

  private func adopt(_ made: (run: RunningBody, stream: Stream)) -> Stream {
    if let before = run { before.end() } else { lifetime.observeEnded { self.run?.end() } }
    run = made.run
    return made.stream
  }

  package func code(_ field: inout StateCoder<UpstreamSubscription>) throws(StateError) {
    try field(&isOpen)
    try field(&registration)
    if try field({ $0.run.map { !$0.hasEnded } ?? false }) {
      try field.part({ $0.run?.encode(to: &$1) }) { keptRun = $0 }
    }
  }
}
