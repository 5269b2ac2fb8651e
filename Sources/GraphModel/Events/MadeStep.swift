import JSON
package import Signals

/// A step on its way through generic code, which would wrap a closure in two others.
package struct MadeStep {
  package let step: Step

  package init(_ step: @escaping Step) { self.step = step }
}

extension StreamObserver {
  /// Returns the observer of the input of steps in a row, whose outputs are sent here.
  package func behind(_ steps: [MadeStep]) -> StreamObserver {
    steps.reversed().reduce(self) { StepLink($1.step, to: $0).observer }
  }
}

/// A step and the observer of its outputs.
///
/// A row of steps needs one stream for all of them: each sends straight to the next.
private final class StepLink {
  private let step: Step
  private let output: StreamObserver
  private var hasEnded = false

  init(_ step: @escaping Step, to output: StreamObserver) { (self.step, self.output) = (step, output) }

  /// The observer of the step's input.
  var observer: StreamObserver { StreamObserver(link: self, value: { $0.take($1) }, ending: { $0.end($1) }) }

  private func take(_ payload: Payload) {
    // The step before may emit more after this one has failed.
    if hasEnded { return }
    step(payload, StreamObserver(link: self, value: { $0.emit($1) }, ending: { $0.end($1) }))
  }

  private func emit(_ payload: Payload) {
    if !hasEnded { output.send(value: payload) }
  }

  private func end(_ ending: Ending<SignalFailure>) {
    guard !hasEnded else { return }
    hasEnded = true
    output.send(ending)
  }
}
