internal import JSON

/// A search for a pattern in a string.
struct RegexSearch {
  /// The bytes of a match and of its groups; `nil` for an unmatched group.
  typealias Groups = [Range<Int>?]

  let expression: RegularExpression
  let environment: Environment
  private(set) var text: String
  private let isGlobal: Bool

  init(
    _ input: JSONValue, _ pattern: JSONValue, _ letters: JSONValue, _ environment: Environment
  ) throws(ExpressionError) {
    guard let text = input.asString else {
      throw .badValue("\(input.described) cannot be matched, as it is not a string")
    }
    guard let pattern = pattern.asString else { throw .badValue("\(pattern.described) is not a string") }
    try environment.charge(characters: pattern.utf8.count + (letters.asString?.utf8.count ?? 0))
    let options = try RegexOptions(letters)
    let expression = try BoundedSearch.compiled(pattern, options, environment)
    self.text = text
    self.text.makeContiguousUTF8()
    self.expression = expression
    self.environment = environment
    isGlobal = options.isGlobal
  }

  /// Returns true if the pattern matches anywhere.
  func test() throws(ExpressionError) -> Bool { try hasMatch(from: 0) }

  private func hasMatch(from start: Int) throws(ExpressionError) -> Bool {
    let search = BoundedSearch(expression: expression, environment: environment)
    return try text.utf8.span.withUnsafeBufferPointer { bytes throws(ExpressionError) in
      try search.hasMatch(in: bytes, from: start)
    }
  }

  /// Returns the groups of the first match from a byte on.
  private func firstMatch(from start: Int) throws(ExpressionError) -> Groups? {
    guard try hasMatch(from: start) else { return nil }
    let found = environment.searches
    return (0..<found.count).map { found.group($0) }
  }

  /// Passes all matches to `body`, or only the first without the flag `g`.
  func each(
    _ body: (_ whole: Range<Int>, Groups) throws(ExpressionError) -> Flow
  ) throws(ExpressionError) -> Flow {
    var start = 0
    while start <= text.utf8.count, let groups = try firstMatch(from: start), let whole = groups.first ?? nil {
      try environment.charge(characters: whole.upperBound - start)
      if try body(whole, groups) == .stop { return .stop }
      if !isGlobal { break }
      start = whole.isEmpty ? characterBoundary(from: whole.upperBound + 1) : whole.upperBound
    }
    return .next
  }

  private func characterBoundary(from offset: Int) -> Int {
    text.utf8.span.withUnsafeBufferPointer { $0.characterBoundary(from: offset) }
  }

  /// Returns some bytes of the text.
  func part(_ range: Range<Int>) -> Substring {
    let start = text.utf8.index(text.utf8.startIndex, offsetBy: range.lowerBound)
    return text[start..<text.utf8.index(start, offsetBy: range.count)]
  }
}
