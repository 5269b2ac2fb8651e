internal import JSON

/// Destructures a value by the patterns of `as`, and binds their variables.
struct Destructuring {
  /// One pattern; each step makes bindings in the order of the compiler's depths.
  indirect enum Matcher {
    case variable
    case array([Matcher])
    case object([Entry])
  }

  struct Entry {
    let key: any Node
    /// True if the whole value is bound too, as in `$name: pattern`.
    let bindsValue: Bool
    let matcher: Matcher?
  }

  /// A pattern and, if there are several, the depth of each of all their variables in it.
  struct Alternative {
    let matcher: Matcher
    let variables: [Int?]
  }

  private let alternatives: [Alternative]
  let isDirect: Bool
  /// True if it binds the whole value to one variable, as most patterns do.
  let isVariable: Bool

  init(_ alternatives: [Alternative]) {
    self.alternatives = alternatives
    isVariable = if alternatives.count == 1, case .variable = alternatives[0].matcher { true } else { false }
    isDirect = alternatives.count == 1 && alternatives.allSatisfy { $0.matcher.isDirect }
  }

  /// Calls `body` for each match of the value; of several patterns the first without an error applies.
  func bind(
    _ value: JSONValue, _ frame: Frame, _ body: (Frame) throws(ExpressionError) -> Flow
  ) throws(ExpressionError) -> Flow {
    if alternatives.count == 1 { return try alternatives[0].matcher.match(value, frame, body) }
    for (index, alternative) in alternatives.enumerated() {
      do throws(ExpressionError) {
        return try alternative.matcher.match(value, frame) { matched throws(ExpressionError) in
          try body(rearranged(matched, alternative, within: frame))
        }
      } catch {
        if !error.isCatchable || index == alternatives.count - 1 { throw error }
      }
    }
    return .next
  }

  /// Reorders the bindings into the order that the body expects; variables of other patterns are null.
  private func rearranged(_ matched: Frame, _ alternative: Alternative, within frame: Frame) -> Frame {
    alternative.variables.reduce(frame) { inner, hops in
      inner.binding(hops.flatMap { matched.scope?.outer($0)?.value } ?? .null)
    }
  }
}

extension Destructuring.Matcher {
  /// True if a value has at most one match.
  var isDirect: Bool {
    switch self {
    case .variable: true
    case .array(let items): items.allSatisfy(\.isDirect)
    case .object(let entries): entries.allSatisfy { $0.key.isDirect && $0.matcher?.isDirect != false }
    }
  }

  typealias Body = (Frame) throws(ExpressionError) -> Flow

  func match(_ value: JSONValue, _ frame: Frame, _ body: Body) throws(ExpressionError) -> Flow {
    switch self {
    case .variable: return try body(frame.binding(value))
    case .array(let items): return try Self.match(items[...], at: 0, value, frame, body)
    case .object(let entries): return try Self.match(entries[...], value, frame, body)
    }
  }

  private static func match(
    _ rest: ArraySlice<Self>, at index: Int, _ value: JSONValue, _ frame: Frame, _ body: Body
  ) throws(ExpressionError) -> Flow {
    guard let item = rest.first else { return try body(frame) }
    let element = try Indexing.get(value, .number(Double(index)), frame.environment)
    return try item.match(element, frame) { inner throws(ExpressionError) in
      try match(rest.dropFirst(), at: index + 1, value, inner, body)
    }
  }

  private static func match(
    _ rest: ArraySlice<Destructuring.Entry>, _ value: JSONValue, _ frame: Frame, _ body: Body
  ) throws(ExpressionError) -> Flow {
    guard let entry = rest.first else { return try body(frame) }
    return try entry.key.each(value, frame) { key throws(ExpressionError) in
      guard key.asString != nil else { throw .badValue("Cannot index \(value.typeName) with \(key.typeName)") }
      let member = try Indexing.get(value, key, frame.environment)
      let inner = entry.bindsValue ? frame.binding(member) : frame
      guard let matcher = entry.matcher else { return try match(rest.dropFirst(), value, inner, body) }
      return try matcher.match(member, inner) { innermost throws(ExpressionError) in
        try match(rest.dropFirst(), value, innermost, body)
      }
    }
  }
}
