import ReactiveCore

/// How a part of a signal hears an input: until it ends, and again when the signal that it comes from starts anew.
final class Hearing: KeptMemory {
  /// The stream that it hears, until it begins to: who keeps the memory of this is not to keep the stream at work.
  private var stream: Stream?
  private let again: RenewableInput.Again?
  private let signal: RunningSignal
  private let lifetime: Lifetime
  private let take: (Stream.Event) -> Void
  /// Called when it hears its input again, before that has said anything.
  var onRenewal: () -> Void = {}
  /// Whether more may come: once it has ended, only after it was started anew.
  private(set) var isOpen = true
  /// Its number among those of its signal that have ended, if its signal knows that it has.
  private(set) var registration: Int?
  /// The body that makes its input since it was started anew.
  private var run: RunningBody?
  private var keptRun: StateReader?

  /// - Parameter lifetime: For how long it hears.
  init(
    _ input: RenewableInput, in signal: RunningSignal, _ lifetime: Lifetime, take: @escaping (Stream.Event) -> Void
  ) {
    stream = input.stream
    again = input.again
    self.signal = signal
    self.lifetime = lifetime
    self.take = take
    keep()
  }

  func begin() {
    if registration != nil { register() }
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
    registration = signal.endedInputs.next()
    register()
  }

  private func register() {
    signal.endedInputs.append(self)
    lifetime.observeEnded { [signal] in signal.endedInputs.remove(self) }
  }

  /// Hears its input again, if that has ended and is computed from a signal that starts anew.
  ///
  /// - Returns: The body that has to be started for that.
  func rejoin(_ renewed: Set<String>) -> RunningBody? {
    guard !isOpen, let again, again.names.contains(where: renewed.contains) else { return nil }
    isOpen = true
    let stream = adopt(again.build())
    onRenewal()
    observe(stream)
    return run
  }

  private func adopt(_ made: (run: RunningBody, stream: Stream)) -> Stream {
    if let before = run { before.end() } else { lifetime.observeEnded { self.run?.end() } }
    run = made.run
    return made.stream
  }

  func store(in writer: inout StateWriter) {
    isOpen.store(in: &writer)
    registration.store(in: &writer)
    let run = run.flatMap { $0.hasEnded ? nil : $0 }
    (run != nil).store(in: &writer)
    if let run { writer.part { run.store(in: &$0) } }
  }

  func restore(from reader: inout StateReader) throws(StateError) {
    isOpen = try Bool(from: &reader)
    registration = try Int?(from: &reader)
    if try Bool(from: &reader) { keptRun = try reader.part() }
  }
}
