public import Signals

/// One run of a producer for many subscribers, begun explicitly: the result of `publish` and `multicast`.
///
/// Subscribers start `producer`, which delivers the events through the pipe or property that the connection was made
/// with. The run begins with `connect` and at most once (see `share` for repeated runs).
public final class MulticastConnection<Value, Failure: Error> {
  /// The producer that subscribers start; starting it does not begin the run.
  public let producer: SignalProducer<Value, Failure>

  private let source: SignalProducer<Value, Failure>
  private let input: Observer<Value, Failure>
  private let run = Run()
  private let starter = AnyDisposable()

  init(
    _ source: SignalProducer<Value, Failure>, output: SignalProducer<Value, Failure>, input: Observer<Value, Failure>
  ) {
    self.source = source
    self.input = input
    producer = output
  }

  /// Begins the run, unless begun; disposing of the result interrupts it, and its subscribers with it.
  @discardableResult public func connect() -> any Disposable {
    if starter.disposeFirst() { source.start(input, asPublished: run) }
    return run
  }

  /// A producer whose first start connects; when the last of its runs has ended, the connection is disposed of.
  ///
  /// Each run subscribes before it connects, so that it misses no value that is sent immediately.
  public func autoconnect() -> SignalProducer<Value, Failure> {
    let subscribers = SubscriberCount()
    return SignalProducer(begin: { [self] observer, run in
      guard run.begin(with: Relay(observer)) else { return }
      subscribers.enter()
      run.resources.hold(AnyDisposable { if subscribers.leave() { self.run.dispose() } })
      producer.feed(observer, in: run)
      connect()
    })
  }
}

/// The number of subscribers.
private final class SubscriberCount: @unchecked Sendable {
  private let lock = FutexLock()
  private var count = 0

  func enter() { lock.withLock { count += 1 } }

  /// Removes a subscriber; true if it was the last.
  func leave() -> Bool {
    lock.withLock {
      count -= 1
      return count == 0
    }
  }
}

extension SignalProducer {
  /// A connection whose subscribers receive the run's events from the time of their subscription.
  public func publish() -> MulticastConnection<Value, Failure> { multicast(Signal<Value, Failure>.pipe()) }

  /// A connection through a pipe: subscribers receive its events from the time of their subscription.
  public func multicast(
    _ pipe: (output: Signal<Value, Failure>, input: Observer)
  ) -> MulticastConnection<Value, Failure> {
    MulticastConnection(self, output: SignalProducer(pipe.output), input: pipe.input)
  }

  /// A connection through a replaying pipe: subscribers receive its remembered events first.
  public func multicast(
    _ replayingPipe: (output: SignalProducer<Value, Failure>, input: Observer)
  ) -> MulticastConnection<Value, Failure> {
    MulticastConnection(self, output: replayingPipe.output, input: replayingPipe.input)
  }
}

extension SignalProducer where Failure == Never {
  /// A connection through a property, which it retains: subscribers receive its value first, and not the run's ending.
  public func multicast(_ property: MutableProperty<Value>) -> MulticastConnection<Value, Never> {
    MulticastConnection(
      self, output: property.producer, input: Observer(value: { property.value = $0 }, ending: { _ in }))
  }
}

extension MulticastConnection: @unchecked Sendable where Value: Sendable {}
