import JSON
import ReactiveCore

/// What runs through a graph: JSON that nobody has looked into yet, and failures with a code.
typealias Stream = Signal<Payload, SignalFailure>
typealias StreamObserver = Signal<Payload, SignalFailure>.Observer
/// A stream that is made anew each time it is started.
typealias StreamProducer = SignalProducer<Payload, SignalFailure>

extension Signal where Value == Payload, Failure == SignalFailure {
  /// A stream that `body` makes from each value; endings pass through.
  func through(_ body: @escaping (Payload, StreamObserver) -> Void) -> Stream {
    Stream { output, lifetime in
      lifetime += observe(
        StreamObserver(value: { body($0, output) }, ending: { output.send($0) }))
    }
  }

  /// A stream that `value` and `ending` make of this one's values and its ending.
  func through(
    value: @escaping (Payload, StreamObserver) -> Void,
    ending: @escaping (Ending<SignalFailure>, StreamObserver) -> Void
  ) -> Stream {
    Stream { output, lifetime in
      lifetime += observe(StreamObserver(value: { value($0, output) }, ending: { ending($0, output) }))
    }
  }
}
