/// What makes a shared producer forget its run, so that the next start begins a new one.
public struct SharingReset: OptionSet, Sendable {
  /// The set as bits.
  public let rawValue: Int

  /// A set from its bits.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// The run has completed; else later starts get what is remembered and the completion.
  public static let completion = SharingReset(rawValue: 1)

  /// The run has failed; else later starts get what is remembered and the failure.
  public static let failure = SharingReset(rawValue: 2)

  /// The last subscriber has left: the run is interrupted; else it goes on as long as there is a copy of the producer.
  public static let abandonment = SharingReset(rawValue: 4)

  /// Any of them.
  public static let always: SharingReset = [.completion, .failure, .abandonment]
}

extension SignalProducer {
  /// A producer whose runs share one run of this one: the first of them starts it, the last to leave stops it.
  ///
  /// Each gets the last `capacity` values of the shared run and then what follows. `resets` says when a later start
  /// begins a new run.
  public func share(
    replay capacity: Int = 0, resetOn resets: SharingReset = .always
  ) -> SignalProducer<Value, Failure> {
    let sharing = Sharing(self, capacity, resets)
    return SignalProducer(begin: { observer, run in
      guard run.begin(with: Relay(observer)) else { return }
      sharing.subscribe(observer, run)
    })
  }
}

/// The present run of a shared producer, and who subscribes to it.
private final class Sharing<Value, Failure: Error>: @unchecked Sendable {
  /// One run of the source with its subscribers.
  final class Round: @unchecked Sendable {
    let buffer: ReplayBuffer<Value, Failure>
    let run = Run()
    let starter = AnyDisposable()
    /// Guarded by the lock of the sharing.
    var subscribers = 0

    init(_ capacity: Int) { buffer = ReplayBuffer(capacity) }
  }

  private let source: SignalProducer<Value, Failure>
  private let capacity: Int
  private let resets: SharingReset
  private let lock = FutexLock()
  private var current: Round?

  init(_ source: SignalProducer<Value, Failure>, _ capacity: Int, _ resets: SharingReset) {
    precondition(capacity >= 0, "a capacity cannot be negative")
    self.source = source
    self.capacity = capacity
    self.resets = resets
  }

  deinit { current?.run.dispose() }

  func subscribe(_ observer: Observer<Value, Failure>, _ run: Run) {
    let round = lock.withLock {
      let present = current ?? Round(capacity)
      present.subscribers += 1
      current = present
      return present
    }
    run.resources.hold(AnyDisposable { self.leave(round) })
    round.buffer.producer(keeping: self).feed(observer, in: run)
    guard round.starter.disposeFirst() else { return }
    let input = round.buffer.input
    source.start(
      Observer(
        value: input.receive,
        ending: { [weak self, weak round] ending in
          if let round { self?.forget(round, after: ending) }
          input.end(ending)
        }), as: round.run)
  }

  private func leave(_ round: Round) {
    let isAbandoned = lock.withLock {
      round.subscribers -= 1
      guard round.subscribers == 0, resets.contains(.abandonment) else { return false }
      // A run that has ended otherwise is remembered if `resets` says so.
      guard !round.run.hasEnded else { return false }
      if current === round { current = nil }
      return true
    }
    if isAbandoned { round.run.dispose() }
  }

  private func forget(_ round: Round, after ending: Ending<Failure>) {
    let isReset =
      switch ending {
      case .completed: resets.contains(.completion)
      case .failed: resets.contains(.failure)
      case .interrupted: true
      }
    guard isReset else { return }
    lock.withLock { if current === round { current = nil } }
  }
}
