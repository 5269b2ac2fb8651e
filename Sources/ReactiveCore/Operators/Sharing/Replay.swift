public import Signals

/// The last values and the ending of a stream, replayed to each new subscriber.
final class ReplayBuffer<Value, Failure: Error>: @unchecked Sendable {
  private let capacity: Int
  private let node = Node<Value, Failure>(domain: Domain())
  @exclusivity(unchecked) private var values = Fifo<Value>()
  @exclusivity(unchecked) private var ending: Ending<Failure>?

  init(_ capacity: Int) {
    precondition(capacity >= 0, "a capacity cannot be negative")
    self.capacity = capacity
  }

  /// The observer that feeds the buffer, from any thread.
  var input: Observer<Value, Failure> {
    Observer<Value, Failure>(link: self, value: { $0.receive($1) }, ending: { $0.end($1) }).entering(node.domain)
  }

  /// Returns a producer of the remembered values, then of the events that follow; `keeping` lives as long as a run or
  /// the producer.
  func producer(keeping: AnyObject) -> SignalProducer<Value, Failure> {
    SignalProducer(begin: { observer, run in
      guard run.begin(with: Relay(observer)) else { return }
      run.hold(AnyDisposable { withExtendedLifetime(keeping) {} })
      let entrance = observer.entering(run)
      let slot = Slot(entrance, node: self.node)
      run.hold(slot)
      let domain = self.node.domain
      if domain.enterOnArrival() {
        self.welcome(entrance, slot)
        domain.leave()
      } else {
        domain.queue { self.welcome(entrance, slot) }
      }
    })
  }

  private func receive(_ value: Value) {
    guard ending == nil else { return }
    if capacity > 0 { values.append(value) }
    if values.count > capacity { _ = values.popFirst() }
    node.receive(value)
  }

  private func end(_ ending: Ending<Failure>) {
    guard self.ending == nil else { return }
    self.ending = ending
    node.end(ending)
  }

  private func welcome(_ observer: Observer<Value, Failure>, _ slot: Slot<Value, Failure>) {
    values.forEach(observer.receive)
    if let ending { observer.end(ending) } else { node.place(slot) }
  }
}

/// A producer whose one run many share; interrupted when it has no observer left and can get none.
final class SharedRun<Value, Failure: Error>: @unchecked Sendable {
  private let producer: SignalProducer<Value, Failure>
  private let buffer: ReplayBuffer<Value, Failure>
  private let run = Run()
  private let starter = AnyDisposable()

  init(_ producer: SignalProducer<Value, Failure>, _ buffer: ReplayBuffer<Value, Failure>) {
    self.producer = producer
    self.buffer = buffer
  }

  deinit { run.dispose() }

  func startOnce() {
    guard starter.disposeFirst() else { return }
    producer.start(buffer.input, as: run)
  }
}

extension SignalProducer {
  /// A producer whose runs share one run of this one, which the first of them starts.
  ///
  /// Each gets the last `capacity` values and then the events that follow. The shared run is interrupted when no copy
  /// of the result and none of its runs is left.
  ///
  /// - Precondition: `capacity` is not negative.
  public func replayLazily(upTo capacity: Int) -> SignalProducer<Value, Failure> {
    let buffer = ReplayBuffer<Value, Failure>(capacity)
    let shared = SharedRun(self, buffer)
    let replaying = buffer.producer(keeping: shared)
    return SignalProducer(begin: { observer, run in
      replaying.begin(observer, run)
      shared.startOnce()
    })
  }

  /// A producer that replays the last `capacity` values sent to an observer, together with that observer.
  ///
  /// Each start gets those, then the events that follow.
  ///
  /// - Precondition: `capacity` is not negative.
  public static func replayingPipe(
    upTo capacity: Int = .max
  ) -> (output: SignalProducer<Value, Failure>, input: Observer) {
    let buffer = ReplayBuffer<Value, Failure>(capacity)
    return (buffer.producer(keeping: buffer), buffer.input)
  }
}
