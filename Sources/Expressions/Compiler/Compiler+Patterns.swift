/// The patterns of `as`.
extension Compiler {
  /// Compiles the patterns; returns them with the scope of their variables.
  func destructuring(_ patterns: [Pattern], _ sight: Sight) throws(SyntaxFault) -> (Destructuring, Sight) {
    var compiled: [(matcher: Destructuring.Matcher, sight: Sight)] = []
    for pattern in patterns {
      var inner = sight
      let matcher = try matcher(pattern, &inner)
      compiled.append((matcher, inner))
    }
    if compiled.count == 1 {
      return (Destructuring([.init(matcher: compiled[0].matcher, variables: [])]), compiled[0].sight)
    }
    var names: [String] = []
    for pattern in patterns { for name in pattern.variables where !names.contains(name) { names.append(name) } }
    let alternatives = zip(compiled, patterns).map { compiled, pattern in
      let own = pattern.variables
      let variables = names.map { own.contains($0) ? compiled.sight.hops(toVariable: $0) : nil }
      return Destructuring.Alternative(matcher: compiled.matcher, variables: variables)
    }
    return (Destructuring(alternatives), names.reduce(sight) { $0.adding(.variable($1)) })
  }

  private func matcher(_ pattern: Pattern, _ sight: inout Sight) throws(SyntaxFault) -> Destructuring.Matcher {
    switch pattern {
    case .variable(let name):
      sight = sight.adding(.variable(name))
      return .variable
    case .array(let items):
      var matchers: [Destructuring.Matcher] = []
      for item in items { matchers.append(try matcher(item, &sight)) }
      return .array(matchers)
    case .object(let entries):
      var compiled: [Destructuring.Entry] = []
      for entry in entries { compiled.append(try self.entry(entry, &sight)) }
      return .object(compiled)
    }
  }

  private func entry(_ entry: PatternEntry, _ sight: inout Sight) throws(SyntaxFault) -> Destructuring.Entry {
    let key = try self.key(entry.key, sight)
    if let name = entry.variable { sight = sight.adding(.variable(name)) }
    var inner: Destructuring.Matcher?
    if let pattern = entry.pattern { inner = try matcher(pattern, &sight) }
    return Destructuring.Entry(key: key, bindsValue: entry.variable != nil, matcher: inner)
  }
}

extension Pattern {
  /// The variables that it binds, in order.
  var variables: [String] {
    switch self {
    case .variable(let name): [name]
    case .array(let items): items.flatMap(\.variables)
    case .object(let entries): entries.flatMap { ($0.variable.map { [$0] } ?? []) + ($0.pattern?.variables ?? []) }
    }
  }
}
