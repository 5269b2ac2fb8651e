internal import JSON

/// Evaluates `a |= b`: each place of `a` gets the first output of `b` for its value; without output the place is
/// deleted.
final class ModifyNode: Node {
  let isDirect = true
  let isEdit = true
  private let editing: PlaceEditing
  private let update: any Node

  init(_ places: any Node, _ update: any Node) {
    editing = PlaceEditing(places: places)
    self.update = update
  }

  func direct(_ input: JSONValue, _ frame: Frame) throws(ExpressionError) -> JSONValue? {
    var result = input
    try editing.replace(in: &result, frame, share: 1) { value throws(ExpressionError) in
      try update.first(value, frame)
    }
    return result
  }

  func change(_ state: inout JSONValue, _ frame: Frame) throws(ExpressionError) -> Bool {
    try editing.replace(in: &state, frame) { value throws(ExpressionError) in try update.first(value, frame) }
    return true
  }
}
