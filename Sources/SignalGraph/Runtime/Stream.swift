import JSON
import ReactiveCore

/// The stream of a graph: JSON that nobody has looked into yet, and failures with a code.
typealias Stream = Signal<Payload, SignalFailure>
typealias StreamObserver = Signal<Payload, SignalFailure>.Observer

extension Signal where Value == Payload, Failure == SignalFailure {
  /// A stream that a step makes from each value; endings pass through.
  func through(_ step: @escaping Step) -> Stream {
    through(value: step, ending: { $1.send($0) })
  }
}
