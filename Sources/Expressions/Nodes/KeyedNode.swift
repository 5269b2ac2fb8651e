internal import JSON

/// An element and the outputs of an expression for it.
struct Keyed {
  let key: JSONValue
  let element: JSONValue
}

/// `sort_by(f)` and its like: evaluates all outputs of `f` for each element, and passes both on.
final class KeyedNode: Node {
  typealias Finish = @Sendable ([Keyed], Environment) throws(ExpressionError) -> JSONValue

  let isDirect = true
  private let key: (any Node)?
  private let isSorted: Bool
  private let finish: Finish

  /// - Parameters:
  ///   - key: the key expression, or `nil` for the elements themselves
  ///   - isSorted: `true` if `finish` expects the elements in key order
  init(_ key: (any Node)?, isSorted: Bool, _ finish: @escaping Finish) {
    self.key = key
    self.isSorted = isSorted
    self.finish = finish
  }

  func direct(_ input: JSONValue, _ frame: Frame) throws(ExpressionError) -> JSONValue? {
    guard case .array(let elements) = input else {
      throw .badValue("\(input.described) cannot be sorted, as it is not an array")
    }
    var keyed: [Keyed] = []
    for element in elements {
      try frame.step()
      let key = try key.map { key throws(ExpressionError) in
        JSONValue.array(try ArrayNode.collect(key, element, frame))
      }
      keyed.append(Keyed(key: key ?? element, element: element))
    }
    if isSorted { keyed = try Ordering.sorted(keyed, by: { $0.key }, frame.environment) }
    return try finish(keyed, frame.environment)
  }
}
