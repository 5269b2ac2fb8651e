import ReactiveCore
import Testing

@Suite struct SharingSamples {
  private let log = SampleLog()

  @Test func `defer runs nothing until it is subscribed, and an eager signal runs at once`() {
    let eager = { [log] (name: String) in
      SignalProducer<String, SampleError> { observer, _ in
        observer.send(value: "eagerly")
        log.print(name)
        observer.sendCompleted()
      }.replay()
    }
    _ = eager("1")
    _ = SignalProducer<String, SampleError>.deferred { eager("2") }
    log.subscribe(to: SignalProducer.deferred { eager("3") })
    #expect(log.lines == ["0.0 1", "0.0 3", "0.0 eagerly"])
  }

  @Test func `a plain signal runs for each observer, a published one once for both`() {
    let plain = announced("signal1")
    plain.startWithCompleted {}
    plain.startWithCompleted {}
    for connection in [announced("signal2").publish(), announced("signal3").multicast(Signal.pipe())] {
      connection.producer.startWithCompleted {}
      connection.producer.startWithCompleted {}
      connection.connect()
    }
    #expect(log.lines == ["0.0 signal1", "0.0 signal1", "0.0 signal2", "0.0 signal3"])
  }

  @Test func `replay prints 0 and 1`() {
    log.subscribe(to: log.sync.replay())
    #expect(log.lines == ["0.0 0", "0.0 1"])
  }

  @Test func `replayLast prints 1 only`() {
    log.subscribe(to: log.sync.replayLast())
    #expect(log.lines == ["0.0 1"])
  }

  @Test func `replayLazily runs at the first subscriber, replayLast at once`() {
    _ = announced("signal1").replayLazily(upTo: .max)
    _ = announced("signal2").replayLast()
    log.subscribe(to: lazily(announced("signal3")))
    #expect(log.lines == ["0.0 signal2", "0.0 signal3", "0.0 0", "0.0 1"])
  }

  /// ReactiveSwift's order, which is adopted here, is the opposite: the first subscriber is added before the run
  /// begins.
  @Test func `replayLazily subscribes before it begins the run`() {
    log.subscribe(to: announced("signal").replayLazily(upTo: .max))
    #expect(log.lines == ["0.0 0", "0.0 1", "0.0 signal"])
  }

  /// `replayLazily` in RAC's order: a run that is begun first, and then subscribed to.
  private func lazily(_ producer: SignalProducer<Int, SampleError>) -> SignalProducer<Int, SampleError> {
    let connection = producer.multicast(SignalProducer.replayingPipe())
    return SignalProducer.deferred {
      connection.connect()
      return connection.producer
    }
  }

  /// Emits 0 and 1, prints its name, and completes.
  private func announced(_ name: String) -> SignalProducer<Int, SampleError> {
    SignalProducer { [log] observer, _ in
      for number in 0..<2 { observer.send(value: number) }
      log.print(name)
      observer.sendCompleted()
    }
  }
}
