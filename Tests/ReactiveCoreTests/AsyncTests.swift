import ReactiveCore
import Synchronization
import Testing

@Suite(.endsIfItHangs) struct AsyncTests {
  @Test func `a producer's values can be awaited to the last`() async {
    var seen: [Int] = []
    for await value in SignalProducer<Int, Never>(0..<5000).values { seen.append(value) }
    #expect(seen == Array(0..<5000))
  }

  @Test func `a loop over endless work is given up by leaving it`() async {
    let disposals = Counter()
    var seen: [Int] = []
    let endless = SignalProducer<Int, Never>(0...).on(disposed: { disposals.enter() })
    for await value in endless.values(Bound(limit: 2, overflow: .dropNewest)) {
      seen.append(value)
      if value == 9 { break }
    }
    #expect(seen == Array(0..<10))
    while disposals.present == 0 { await Task.yield() }
  }

  @Test func `a failure is thrown after the values, an interruption ends the loop`() async {
    var seen: [Int] = []
    do throws(Failure) {
      for try await value in SignalProducer(values: 1, 2).concat(error: Failure(code: 3)).values { seen.append(value) }
      Issue.record("the loop must throw")
    } catch {
      #expect(error == Failure(code: 3))
    }
    #expect(seen == [1, 2])
    let interrupted = SignalProducer<Int, Never> { observer, _ in observer.sendInterrupted() }
    for await _ in interrupted.values { Issue.record("there is no value") }
  }

  @Test func `a signal is observed from when its iterator is made, and no sender waits`() async throws {
    let (signal, input) = Signal<Int, Failure>.pipe()
    input.send(value: 0)
    var newest = signal.values(Bound(limit: 2, overflow: .dropOldest)).makeAsyncIterator()
    var oldest = signal.values(Bound(limit: 2, overflow: .dropNewest)).makeAsyncIterator()
    var strict = signal.values(Bound(limit: 2, overflow: .fail(Failure(code: 7)))).makeAsyncIterator()
    for value in 1...3 { input.send(value: value) }
    input.sendCompleted()
    #expect(try await [newest.next(), newest.next(), newest.next()] == [2, 3, nil])
    #expect(try await [oldest.next(), oldest.next(), oldest.next()] == [1, 2, nil])
    #expect(try await [strict.next(), strict.next()] == [1, 2])
    await #expect(throws: Failure(code: 7)) { try await strict.next() }
    #expect(try await strict.next() == nil)
  }

  @Test(.endsIfItHangs) func `a value that is dropped may end the reading as it goes`() {
    final class Reader {
      var iterator: Any?
    }
    let (signal, input) = Signal<Reader?, Never>.pipe()
    var reader: Reader? = Reader()
    weak let kept = reader
    reader?.iterator = signal.values(Bound(limit: 1, overflow: .dropOldest)).makeAsyncIterator()
    input.send(value: reader)
    reader = nil
    #expect(kept != nil)
    input.send(value: nil)
    #expect(kept == nil)
  }

  @Test func `a task that is cancelled while it waits ends its loop and its run`() async {
    let (started, disposals) = (Counter(), Counter())
    let producer = SignalProducer<Int, Never> { _, lifetime in
      lifetime.observeEnded { _ = disposals.enter() }
      started.enter()
    }
    let task = Task { for await _ in producer.values { Issue.record("there is no value") } }
    while started.present == 0 { await Task.yield() }
    task.cancel()
    await task.value
    while disposals.present == 0 { await Task.yield() }
    #expect(disposals.present == 1)
  }

  @Test func `a task that is cancelled while values come ends its loop and loses no order`() async {
    for _ in 0..<100 {
      let (signal, input) = Signal<Int, Never>.pipe()
      let begun = Counter()
      let reader = Task {
        var seen: [Int] = []
        var iterator = signal.values(Bound(limit: 1_000_000, overflow: .dropNewest)).makeAsyncIterator()
        begun.enter()
        while let value = await iterator.next() { seen.append(value) }
        return seen
      }
      while begun.present == 0 { await Task.yield() }
      let sender = Task { for value in 0..<1000 { input.send(value: value) } }
      reader.cancel()
      let seen = await reader.value
      await sender.value
      #expect(seen == Array(0..<seen.count))
      input.sendCompleted()
    }
  }

  @Test func `several readers of one producer have a run each`() async {
    let starts = Counter()
    let values = SignalProducer<Int, Never>([1, 2, 3]).on(starting: { starts.enter() }).values
    await withTaskGroup(of: [Int].self) { group in
      for _ in 0..<4 {
        group.addTask {
          var seen: [Int] = []
          for await value in values { seen.append(value) }
          return seen
        }
      }
      for await seen in group { #expect(seen == [1, 2, 3]) }
    }
    #expect(starts.present == 4)
  }

  @Test func `what no iterator reads is released`() async {
    weak var captured: Held?
    let (signal, input) = Signal<Held, Never>.pipe()
    do {
      let held = Held()
      captured = held
      let iterator = signal.map { value in withExtendedLifetime(held) { value } }.values.makeAsyncIterator()
      input.send(value: held)
      #expect(captured != nil)
      withExtendedLifetime(iterator) {}
    }
    #expect(captured == nil)
  }

  @Test func `a producer of an asynchronous sequence sends its elements and its end`() async {
    let (stream, input) = AsyncStream<Int>.makeStream()
    for value in 1...3 { input.yield(value) }
    input.finish()
    let events = await events(of: SignalProducer(stream))
    #expect(events == [.value(1), .value(2), .value(3), .completed])
  }

  @Test func `a producer of an asynchronous sequence fails with its error`() async {
    let failing = AsyncThrowingStream<Int, any Error> { input in
      input.yield(1)
      input.finish(throwing: Failure(code: 4))
    }
    let events = await events(of: SignalProducer(failing))
    #expect(events.map { $0.value } == [1, nil])
    #expect(events.last?.error as? Failure == Failure(code: 4))
  }

  @Test func `disposing of a run cancels the task that iterates`() async {
    await withCheckedContinuation { continuation in
      let stream = AsyncStream<Int> { input in
        input.onTermination = { reason in
          if case .cancelled = reason { continuation.resume() }
        }
      }
      let run = SignalProducer(stream).start()
      run.dispose()
    }
  }

  /// Returns all events of a run.
  private func events<Value, F>(of producer: SignalProducer<Value, F>) async -> [Event<Value, F>] {
    await withCheckedContinuation { continuation in
      nonisolated(unsafe) var events: [Event<Value, F>] = []
      producer.start { event in
        events.append(event)
        if event.isTerminating { continuation.resume(returning: events) }
      }
    }
  }
}
