import JSON
import ReactiveCore

/// Where values from outside enter a graph.
struct Inlet {
  let output: StreamObserver
  let type: ValueType
  let isEndable: Bool
}
