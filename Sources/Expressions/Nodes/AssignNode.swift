internal import JSON

/// Evaluates `a = b`: for each value of `b` the input with that value at all places that `a` names.
final class AssignNode: Node {
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
      try sink(editing.edited(input, frame) { target throws(ExpressionError) in target = value })
    }
  }

  func change(_ state: inout JSONValue, _ frame: Frame) throws(ExpressionError) -> Bool {
    guard let value = try value.direct(state, frame) else { return false }
    try editing.edit(&state, frame) { target throws(ExpressionError) in target = value }
    return true
  }
}
