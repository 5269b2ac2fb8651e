internal import JSON

/// `a |= b`: each place that `a` names gets the first output of `b` for what stands there; where there is none, the
/// place is deleted.
final class ModifyNode: Node {
  let isDirect = true
  private let places: any Node
  private let update: any Node

  init(_ places: any Node, _ update: any Node) {
    self.places = places
    self.update = update
  }

  func direct(_ input: JSONValue, _ frame: Frame) throws(ExpressionError) -> JSONValue? {
    var result = input
    var doomed: [JSONValue] = []
    _ = try places.paths(Located(root: input), frame) { place throws(ExpressionError) in
      let keys = try place.keys()
      let value = try PathAccess.get(result, keys, frame.environment)
      guard let output = try update.first(value, frame) else {
        doomed.append(.array(keys))
        return .next
      }
      try PathAccess.change(&result, at: keys[...], frame.environment) { target throws(ExpressionError) in
        target = output
      }
      return .next
    }
    return doomed.isEmpty ? result : try PathDeletion.delete(doomed, from: result, frame.environment)
  }
}
