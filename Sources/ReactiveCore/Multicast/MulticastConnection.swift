/// One run of a producer for many subscribers, begun by hand: what `publish` and `multicast` give.
///
/// Subscribers start `producer`, whose events come through the pipe or property that the connection was made with. The
/// run begins with `connect`, once and for all: when it is over it is not begun again (see `share` for that).
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

  /// Begins the run, unless that was done; disposing of the result interrupts it, and its subscribers with it.
  @discardableResult public func connect() -> any Disposable {
    if starter.disposeFirst() { source.start(input, asPublished: run) }
    return run
  }

  /// A producer whose first start connects; when the last of its runs has ended, the connection is disposed of.
  ///
  /// Each run subscribes before it connects, so that it misses nothing of what is sent at once.
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

/// How many subscribers there are.
private final class SubscriberCount: @unchecked Sendable {
  private let lock = FutexLock()
  private var count = 0

  func enter() { lock.withLock { count += 1 } }

  /// True if that was the last.
  func leave() -> Bool {
    lock.withLock {
      count -= 1
      return count == 0
    }
  }
}

extension SignalProducer {
  /// A connection whose subscribers get what the run sends from when they subscribe.
  public func publish() -> MulticastConnection<Value, Failure> { multicast(Signal<Value, Failure>.pipe()) }

  /// A connection through a pipe: subscribers get what it sends from when they subscribe.
  public func multicast(
    _ pipe: (output: Signal<Value, Failure>, input: Observer)
  ) -> MulticastConnection<Value, Failure> {
    MulticastConnection(self, output: SignalProducer(pipe.output), input: pipe.input)
  }

  /// A connection through a replaying pipe: subscribers get what it remembers first.
  public func multicast(
    _ replayingPipe: (output: SignalProducer<Value, Failure>, input: Observer)
  ) -> MulticastConnection<Value, Failure> {
    MulticastConnection(self, output: replayingPipe.output, input: replayingPipe.input)
  }
}

extension SignalProducer where Failure == Never {
  /// A connection through a property, which it keeps: subscribers get its value first, and do not see the run's ending.
  public func multicast(_ property: MutableProperty<Value>) -> MulticastConnection<Value, Never> {
    MulticastConnection(
      self, output: property.producer, input: Observer(value: { property.value = $0 }, ending: { _ in }))
  }
}

extension MulticastConnection: @unchecked Sendable where Value: Sendable {}
