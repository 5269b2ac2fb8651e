internal import JSON

/// Evaluates `a = b`, `a += b` and their like: for each value of `b` the input with the operator applied at all places
/// of `a`.
final class UpdateNode<Operation: BinaryOperation>: Node {
  let isDirect: Bool
  var isEdit: Bool { isDirect }
  private let editing: PlaceEditing
  private let value: any Node

  init(_ places: any Node, _ value: any Node) {
    editing = PlaceEditing(places: places)
    self.value = value
    isDirect = value.isDirect
  }

  func each(_ input: JSONValue, _ frame: Frame, _ sink: Sink) throws(ExpressionError) -> Flow {
    try value.each(input, frame) { value throws(ExpressionError) in
      let output = try editing.edited(input, frame) { target throws(ExpressionError) in
        try Operation.apply(value, to: &target, frame.environment)
      }
      return try sink(output)
    }
  }

  func change(_ state: inout JSONValue, _ frame: Frame) throws(ExpressionError) -> Bool {
    guard let value = try value.direct(state, frame) else { return false }
    try editing.edit(&state, frame) { target throws(ExpressionError) in
      try Operation.apply(value, to: &target, frame.environment)
    }
    return true
  }
}

/// The operator of `=`.
enum Assignment: BinaryOperation {
  static func apply(
    _ left: JSONValue, _ right: JSONValue, _ environment: Environment
  ) throws(ExpressionError) -> JSONValue {
    right
  }
}

/// The operator of `//=`.
enum Preference: BinaryOperation {
  static func apply(
    _ left: JSONValue, _ right: JSONValue, _ environment: Environment
  ) throws(ExpressionError) -> JSONValue {
    left.isTrue ? left : right
  }
}
