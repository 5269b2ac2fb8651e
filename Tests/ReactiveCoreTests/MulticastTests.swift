import ReactiveCore
import Testing

/// Counts its starts, and sends to its last starter.
private final class Source {
  var starts = 0
  var disposals = 0
  var input: SignalProducer<Int, Failure>.Observer?

  var producer: SignalProducer<Int, Failure> {
    SignalProducer { observer, lifetime in
      self.starts += 1
      self.input = observer
      lifetime.observeEnded { self.disposals += 1 }
    }
  }
}

@Suite struct MulticastTests {
  @Test func `a connection runs once for all its subscribers, from connect on`() {
    let source = Source()
    let connection = source.producer.publish()
    var seen: [Event<Int, Failure>] = []
    connection.producer.start { seen.append($0) }
    connection.producer.start { seen.append($0) }
    #expect(source.starts == 0)
    connection.connect()
    connection.connect()
    #expect(source.starts == 1)
    source.input?.send(value: 1)
    source.input?.sendCompleted()
    #expect(seen == [.value(1), .value(1), .completed, .completed])
  }

  @Test func `disposing of a connection interrupts its subscribers`() {
    let source = Source()
    let connection = source.producer.publish()
    var seen: [Event<Int, Failure>] = []
    connection.producer.start { seen.append($0) }
    connection.connect().dispose()
    #expect(seen == [.interrupted])
    #expect(source.disposals == 1)
  }

  @Test func `multicast through a replaying pipe replays to later observers`() {
    let source = Source()
    let connection = source.producer.multicast(SignalProducer.replayingPipe(upTo: 1))
    connection.connect()
    source.input?.send(value: 1)
    source.input?.send(value: 2)
    var seen: [Event<Int, Failure>] = []
    connection.producer.start { seen.append($0) }
    source.input?.sendCompleted()
    connection.producer.start { seen.append($0) }
    #expect(seen == [.value(2), .completed, .value(2), .completed])
  }

  @Test func `multicast through a property shows the last value`() {
    let property = MutableProperty(0)
    let connection = SignalProducer<Int, Never>([1, 2]).multicast(property)
    var seen: [Int] = []
    connection.producer.startWithValues { seen.append($0) }
    connection.connect()
    #expect(seen == [0, 1, 2])
    #expect(property.value == 2)
  }

  @Test func `autoconnect starts with its first run and stops with its last`() {
    let source = Source()
    let producer = source.producer.publish().autoconnect()
    #expect(source.starts == 0)
    let (first, second) = (producer.start(), producer.start())
    #expect(source.starts == 1)
    first.dispose()
    #expect(source.disposals == 0)
    second.dispose()
    #expect(source.disposals == 1)
  }

  @Test func `a connection that is left before it has begun is over`() {
    let source = Source()
    let pipe = SignalProducer<Int, Failure>.replayingPipe(upTo: 1)
    pipe.input.send(value: 1)
    let producer = source.producer.multicast(pipe).autoconnect()
    producer.take(first: 1).start()
    var seen: [Event<Int, Failure>] = []
    producer.start { seen.append($0) }
    #expect(source.starts == 0)
    #expect(seen == [.value(1), .interrupted])
  }

  @Test func `autoconnect misses nothing of what is sent at once`() {
    var seen: [Int] = []
    SignalProducer<Int, Never>([1, 2]).publish().autoconnect().startWithValues { seen.append($0) }
    #expect(seen == [1, 2])
  }

  @Test func `share restarts after its last run has left, or its source has ended`() {
    let source = Source()
    let shared = source.producer.share()
    let (first, second) = (shared.start(), shared.start())
    first.dispose()
    second.dispose()
    #expect((source.starts, source.disposals) == (1, 1))
    var seen: [Event<Int, Failure>] = []
    shared.start { seen.append($0) }
    source.input?.send(value: 1)
    source.input?.send(error: Failure(code: 1))
    shared.start { seen.append($0) }
    #expect(source.starts == 3)
    #expect(seen == [.value(1), .failed(Failure(code: 1))])
  }

  @Test func `share may remember its ending, and continue while it is abandoned`() {
    let source = Source()
    var shared: SignalProducer<Int, Failure>? = source.producer.share(replay: 1, resetOn: [])
    shared?.start().dispose()
    #expect((source.starts, source.disposals) == (1, 0))
    source.input?.send(value: 7)
    source.input?.sendCompleted()
    var seen: [Event<Int, Failure>] = []
    shared?.start { seen.append($0) }
    #expect(seen == [.value(7), .completed])
    #expect(source.starts == 1)
    shared = source.producer.share(resetOn: [])
    shared?.start().dispose()
    #expect(source.disposals == 1)
    shared = nil
    #expect(source.disposals == 2)
  }

  @Test func `a run that restarts a shared producer from its ending gets a new run`() {
    let source = Source()
    let shared = source.producer.share()
    var disposalsBefore = 0
    shared.start(
      Observer(completed: {
        disposalsBefore = source.disposals
        shared.start()
      }))
    source.input?.sendCompleted()
    #expect(source.starts == 2)
    #expect(disposalsBefore == 1)
  }

  @Test func `replay starts at once and gives everything, replayLast the last`() {
    let source = Source()
    let all = source.producer.replay()
    #expect(source.starts == 1)
    source.input?.send(value: 1)
    source.input?.send(value: 2)
    var seen: [Int] = []
    all.startWithResult { if case .success(let value) = $0 { seen.append(value) } }
    #expect(seen == [1, 2])
    SignalProducer<Int, Never>([1, 2, 3]).replayLast().startWithValues { seen.append($0) }
    #expect(seen == [1, 2, 3])
  }

  @Test func `replay interrupts its run when no observer is left`() {
    let source = Source()
    var replayed: SignalProducer<Int, Failure>? = source.producer.replay()
    let run = replayed?.start()
    replayed = nil
    #expect(source.disposals == 0)
    run?.dispose()
    #expect(source.disposals == 1)
  }
}
