public import Signals
import Synchronization

/// The events after which a shared producer drops its run, so that the next start begins a new one.
public struct SharingReset: OptionSet, Sendable {
  /// The set as bits.
  public let rawValue: Int

  /// A set from its bits.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// The completion of the run; otherwise later starts get the replayed values and the completion.
  public static let completion = SharingReset(rawValue: 1)

  /// The failure of the run; otherwise later starts get the replayed values and the failure.
  public static let failure = SharingReset(rawValue: 2)

  /// The end of the last subscription: the run is interrupted; otherwise it continues as long as there is a copy of the
  /// producer.
  public static let abandonment = SharingReset(rawValue: 4)

  /// Any of them.
  public static let always: SharingReset = [.completion, .failure, .abandonment]
}

extension SignalProducer {
  /// A producer whose runs share one run of this one: the first of them starts it, the end of the last stops it.
  ///
  /// Each gets the last values of the shared run and then the events that follow.
  ///
  /// - Parameters:
  ///   - capacity: The number of values that a later start gets.
  ///   - resets: The events after which a later start begins a new run.
  /// - Precondition: `capacity` is not negative.
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

/// The rounds of a shared producer: the one that new subscribers join, and the one whose run of the source is under
/// way.
///
/// A round begins its run when the previous one has released its resources, so that the source runs once at a time. No
/// thread waits for that: the releasing thread begins the next round.
private final class Sharing<Value, Failure: Error>: @unchecked Sendable {
  private let source: SignalProducer<Value, Failure>
  private let capacity: Int
  private let resets: SharingReset
  private let lock = FutexLock()
  /// The round that new subscribers join.
  private var current: Round?
  /// The round whose run has begun, until it has released its resources.
  private var working: Round?

  init(_ source: SignalProducer<Value, Failure>, _ capacity: Int, _ resets: SharingReset) {
    precondition(capacity >= 0, "a capacity cannot be negative")
    self.source = source
    self.capacity = capacity
    self.resets = resets
  }

  deinit { current?.run.dispose() }

  func subscribe(_ observer: Observer<Value, Failure>, _ run: Run) {
    let round = lock.withLock {
      let present = current ?? Round(capacity, of: self)
      present.subscribers += 1
      current = present
      return present
    }
    run.resources.hold(AnyDisposable { self.leave(round) })
    round.buffer.producer(keeping: self).feed(observer, in: run)
    beginCurrent()
  }

  private func leave(_ round: Round) {
    let isAbandoned = lock.withLock {
      round.subscribers -= 1
      guard round.subscribers == 0, resets.contains(.abandonment) else { return false }
      // A run that has ended otherwise is replayed if `resets` allows it.
      guard !round.run.hasEnded else { return false }
      if current === round { current = nil }
      return true
    }
    if isAbandoned { round.end { round.run.dispose() } }
  }

  /// Begins the run of the present round, unless begun or the previous one still holds resources.
  private func beginCurrent() {
    let next: Round? = lock.withLock {
      guard working == nil, let current, !current.hasBegun else { return nil }
      current.hasBegun = true
      working = current
      return current
    }
    guard let next else { return }
    next.farewell.enter()
    begin(next)
    next.farewell.leave()
  }

  // Resources are released before the ending is sent, so that a subscriber that restarts on it finds them free.
  private func begin(_ round: Round) {
    let input = round.buffer.input
    let observer = Observer<Value, Failure>(
      value: input.receive,
      ending: { [weak self, weak round] ending in
        if let round {
          round.end { round.run.release() }
          self?.forget(round, after: ending)
        }
        input.end(ending)
      })
    source.start(observer, asPublished: round.run)
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

  /// Handles the end of a round that has released its resources.
  private func isOver(_ farewell: Farewell) {
    let round: Round? = lock.withLock {
      guard let working, working.farewell === farewell else { return nil }
      self.working = nil
      return working
    }
    guard let round else { return }
    // Outside the run's domain, so that immediate events are delivered at once.
    if round.run.isHeldByCaller { round.run.afterwards { self.beginCurrent() } } else { beginCurrent() }
  }

  /// One run of the source with its subscribers.
  private final class Round: @unchecked Sendable {
    let run = Run()
    let buffer: ReplayBuffer<Value, Failure>
    /// Guarded by the lock of the sharing, like the next member.
    var subscribers = 0
    var hasBegun = false
    /// Done when the run has ended, its work has returned, and all its resources are released.
    let farewell: Farewell
    private let isEnding = Atomic(false)

    init(_ capacity: Int, of sharing: Sharing) {
      buffer = ReplayBuffer(capacity)
      farewell = Farewell { [weak sharing] in sharing?.isOver($0) }
    }

    /// Ends the run by `work`; the farewell awaits the disposals that it leaves to other threads.
    func end(_ work: () -> Void) {
      farewell.carryOut(work)
      if !isEnding.exchange(true, ordering: .relaxed) { farewell.leave() }
    }
  }
}
