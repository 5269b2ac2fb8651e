internal import JSON

/// `.[key]`: for each key, each value of the target.
final class IndexNode: Node {
  let isDirect: Bool
  private let target: any Node
  private let key: any Node
  private let isOptional: Bool

  init(_ target: any Node, _ key: any Node, isOptional: Bool) {
    self.target = target
    self.key = key
    self.isOptional = isOptional
    isDirect = target.isDirect && key.isDirect
  }

  func direct(_ input: JSONValue, _ frame: Frame) throws(ExpressionError) -> JSONValue? {
    guard let key = try key.direct(input, frame), let value = try target.direct(input, frame) else { return nil }
    return try element(of: value, key, frame)
  }

  func each(_ input: JSONValue, _ frame: Frame, _ sink: Sink) throws(ExpressionError) -> Flow {
    try key.each(input, frame) { key throws(ExpressionError) in
      try target.each(input, frame) { value throws(ExpressionError) in
        guard let output = try element(of: value, key, frame) else { return .next }
        return try sink(output)
      }
    }
  }

  func paths(_ input: Located, _ frame: Frame, _ sink: LocatedSink) throws(ExpressionError) -> Flow {
    try key.each(input.value, frame) { key throws(ExpressionError) in
      try target.paths(input, frame) { place throws(ExpressionError) in
        try place.requirePlace(forAccessTo: key)
        guard let output = try element(of: place.value, key, frame) else { return .next }
        return try sink(place.child(key, output))
      }
    }
  }

  private func element(of value: JSONValue, _ key: JSONValue, _ frame: Frame) throws(ExpressionError) -> JSONValue? {
    do throws(ExpressionError) {
      return try Indexing.get(value, key, frame.environment)
    } catch {
      if isOptional, error.isCatchable { return nil }
      throw error
    }
  }
}
