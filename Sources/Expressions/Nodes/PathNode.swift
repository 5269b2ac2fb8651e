internal import JSON

/// Evaluates `path(f)`.
final class PathNode: Node {
  let isDirect = false
  private let places: any Node

  init(_ places: any Node) { self.places = places }

  func each(_ input: JSONValue, _ frame: Frame, _ sink: Sink) throws(ExpressionError) -> Flow {
    try places.paths(Located(root: input), frame) { place throws(ExpressionError) in
      try frame.step()
      try frame.environment.charge(values: place.depth)
      return try sink(.array(try place.keys()))
    }
  }
}
