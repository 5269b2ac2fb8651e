import JSON
import ReactiveCore

/// Where values from outside enter a graph.
final class Inlet {
  let output: StreamObserver
  let type: ValueType
  let isEndable: Bool

  init(output: StreamObserver, type: ValueType, isEndable: Bool) {
    self.output = output
    self.type = type
    self.isEndable = isEndable
  }

  func check(_ value: Payload) throws(SendError) {
    guard type.accepts(value) else {
      throw .badValue(expected: type.withArticle, found: value.typeWithArticle)
    }
  }
}
