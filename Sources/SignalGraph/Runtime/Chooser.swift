import JSON
import ReactiveCore

/// A stream whose values choose other signals to run.
///
/// Its completion is held back while one of those goes on, as their signal does: until then it can be started anew, and
/// chooses again.
final class Chooser {
  private let output: StreamObserver
  private var running = 0
  private var hasCompleted = false

  private init(_ output: StreamObserver) { self.output = output }

  /// What the signals emit that `choice` finds for the values of `input`, of those that `strategy` listens to.
  static func stream(
    of input: RenewableInput, in signal: RunningSignal, _ strategy: FlattenStrategy, limit: Bound<SignalFailure>,
    _ choice: @escaping (Payload, StreamObserver) -> StreamProducer?
  ) -> Stream {
    Stream { output, lifetime in
      let (choices, entry) = Stream.pipe()
      let chooser = Chooser(entry)
      lifetime += choices.compactMap { choice($0, output) }
        .flatMap(strategy, limit: limit) { chooser.counting($0) }
        .observe(output)
      let hearing = Hearing(input, in: signal, lifetime) { chooser.take($0) }
      hearing.onRenewal = { chooser.hasCompleted = false }
      hearing.begin()
    }
  }

  private func take(_ event: Stream.Event) {
    guard case .completed = event else { return output.send(event) }
    hasCompleted = true
    completeIfDone()
  }

  private func completeIfDone() {
    if hasCompleted, running == 0 { output.sendCompleted() }
  }

  private func counting(_ chosen: StreamProducer) -> StreamProducer {
    StreamProducer { [self] observer, lifetime in
      running += 1
      lifetime.observeEnded { self.running -= 1 }
      lifetime += chosen.start { event in
        observer.send(event)
        // By now the next one that waited for its turn runs.
        if event.isTerminating { self.completeIfDone() }
      }
    }
  }
}
