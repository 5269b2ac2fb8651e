import GraphEngine
import GraphModel
import JSON

extension JSONValue {
  var boolean: Bool? {
    if case .bool(let bool) = plain { bool } else { nil }
  }

  /// A single boolean, or those in a list or an object, as from `combine`; `nil` if there is any other value.
  var booleans: [Bool]? {
    let parts: [JSONValue]
    switch plain {
    case .array(let elements): parts = elements
    case .object(let object): parts = object.members.map(\.value)
    default: parts = [self]
    }
    let booleans = parts.compactMap(\.boolean)
    return booleans.count == parts.count ? booleans : nil
  }
}

extension OperatorContext {
  /// Returns the boolean; reports any other value.
  func boolean(_ payload: Payload, _ output: StreamObserver) -> Bool? {
    let boolean = payload.value.boolean
    if boolean == nil { refuse(payload, expected: "a boolean", output) }
    return boolean
  }

  /// Reports a value of the wrong type.
  func refuse(_ payload: Payload, expected: String, _ output: StreamObserver) {
    refuse(
      .badValue("\(operatorName) takes \(expected), not \(payload.typeWithArticle)"), value: payload.value, output)
  }
}
