import ReactiveCore

/// The output of the samples of the articles about ReactiveCocoa, with virtual times in place of the printed ones.
final class SampleLog: @unchecked Sendable {
  let scheduler = TestScheduler()
  private(set) var lines: [String] = []

  /// Prints seconds since the start, then a text.
  func print(_ text: Any) {
    let tenths = (scheduler.currentDate - Instant.zero) / Duration.milliseconds(100)
    lines.append("\(tenths / 10) \(text)")
  }

  /// Subscribes an observer that prints each value; the samples observe nothing else.
  func subscribe<Value, Failure: Error>(to producer: SignalProducer<Value, Failure>) {
    producer.start(Observer(value: { self.print($0) }, ending: { _ in }))
  }

  /// Subscribes an observer that prints each event.
  func subscribeToAll<Value, Failure: Error>(of producer: SignalProducer<Value, Failure>) {
    producer.start { self.print($0) }
  }

  // MARK: Shared signals

  /// `syncSignal`: 0 and 1 at once.
  let sync = SignalProducer<Int, SampleError> { observer, _ in
    for number in 0..<2 { observer.send(value: number) }
    observer.sendCompleted()
  }

  /// `asyncSignal`: start at once, end after two seconds.
  var async: SignalProducer<String, SampleError> {
    SignalProducer { [scheduler] observer, lifetime in
      observer.send(value: "start")
      lifetime += scheduler.schedule(after: .seconds(2)) {
        observer.send(value: "end")
        observer.sendCompleted()
      }
    }
  }
}

enum SampleError: Error, Equatable { case failed, noMatchingCase, timedOut }
