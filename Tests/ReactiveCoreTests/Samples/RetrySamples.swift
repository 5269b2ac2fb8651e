import ReactiveCore
import Testing

@Suite struct RetrySamples {
  private let log = SampleLog()

  /// Prints its name and fails.
  private var failing: SignalProducer<Int, SampleError> {
    SignalProducer { [log] observer, _ in
      log.print("signal")
      observer.send(error: .failed)
    }
  }

  /// The log of `retry:2`; by its code there would be a third run, as there is here: the number counts additional
  /// tries.
  @Test func `retry prints its signal twice`() {
    log.subscribe(to: failing.retry(upTo: 1))
    #expect(log.lines == ["0.0 signal", "0.0 signal"])
  }

  @Test func `retry 2 runs twice more and then fails`() {
    log.subscribeToAll(of: failing.retry(upTo: 2))
    #expect(log.lines == ["0.0 signal", "0.0 signal", "0.0 signal", "0.0 FAILED failed"])
  }

  @Test func `retry runs on until it is disposed of`() {
    let run = SerialDisposable()
    let retried = failing.on(starting: { if log.lines.count == 1000 { run.dispose() } }).retry(upTo: .max)
    retried.startWithSignal { _, interruption in run.inner = interruption }
    #expect(log.lines == Array(repeating: "0.0 signal", count: 1000))
  }
}
