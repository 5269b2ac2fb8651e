package import JSON
package import Signals

/// A stream of a graph: JSON values that may be undecoded, and failures with a code.
package typealias Stream = Signal<Payload, SignalFailure>
package typealias StreamObserver = Signal<Payload, SignalFailure>.Observer

/// The work on one value: it emits any number of values, and possibly an ending, before it returns.
package typealias Step = (Payload, StreamObserver) -> Void

extension Signal where Value == Payload, Failure == SignalFailure {
  /// Returns the stream that steps in a row make of each value; endings pass through.
  package func through(_ steps: [MadeStep]) -> Stream { leading { $0.behind(steps) } }

  /// Returns a stream that a step makes from each value; endings pass through.
  package func through(_ step: @escaping Step) -> Stream {
    through([MadeStep(step)])
  }
}
