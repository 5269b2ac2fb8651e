import JSON
import ReactiveCore

/// What runs through a graph: JSON that nobody has looked into yet, and failures with a code.
typealias Stream = Signal<Payload, SignalFailure>
typealias StreamObserver = Signal<Payload, SignalFailure>.Observer
