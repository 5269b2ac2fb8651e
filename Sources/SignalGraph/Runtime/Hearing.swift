import ReactiveCore

/// How a part of a signal hears an input: until it ends, and again when the signal that it comes from starts anew.
final class Hearing {
  private let input: RenewableInput
  private let signal: RunningSignal
  private let lifetime: Lifetime
  private let take: (Stream.Event) -> Void
  /// Called when it hears its input again, before that has said anything.
  var onRenewal: () -> Void = {}
  /// Whether more may come: once it has ended, only after it was started anew.
  private(set) var isOpen = true
  /// Whether its signal knows that it has ended.
  private var isRegistered = false
  /// What makes its input since it was started anew.
  private var run: RunningBody?

  /// - Parameter lifetime: For how long it hears.
  init(
    _ input: RenewableInput, in signal: RunningSignal, _ lifetime: Lifetime, take: @escaping (Stream.Event) -> Void
  ) {
    self.input = input
    self.signal = signal
    self.lifetime = lifetime
    self.take = take
  }

  func begin() { observe(input.stream) }

  private func observe(_ stream: Stream) {
    lifetime += stream.observe { event in
      if event.isTerminating { self.hasEnded() }
      self.take(event)
    }
  }

  private func hasEnded() {
    isOpen = false
    guard input.again != nil, !isRegistered else { return }
    isRegistered = true
    signal.endedInputs.append(self)
    lifetime.observeEnded { [signal] in signal.endedInputs.removeAll { $0 === self } }
  }

  /// Hears its input again, if that has ended and is computed from a signal that starts anew.
  ///
  /// - Returns: What has to be started for that.
  func rejoin(_ renewed: Set<String>) -> RunningBody? {
    guard !isOpen, let (run, stream) = input.again?(renewed) else { return nil }
    isOpen = true
    if let before = self.run { before.end() } else { lifetime.observeEnded { self.run?.end() } }
    self.run = run
    onRenewal()
    observe(stream)
    return run
  }
}
