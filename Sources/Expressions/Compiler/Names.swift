internal import JSON

/// The names visible at a place of the source, innermost first.
///
/// Variables, arguments and labels are run-time bindings, so each has its depth; constants and functions exist only here.
final class Names {
  enum Entry {
    case variable(String)
    /// A variable that is always bound to the same value.
    case constant(String, JSONValue)
    /// An argument; one passed by value is a variable too.
    case argument(FunctionDefinition.Parameter)
    case label(String)
    case function(String, [FunctionDefinition.Parameter], FunctionBody)
  }

  let entry: Entry
  let outer: Names?
  /// The number of bindings from the outermost to this one.
  let depth: Int

  init(_ entry: Entry, in outer: Names?) {
    self.entry = entry
    self.outer = outer
    let outerDepth = outer?.depth ?? 0
    depth = entry.isBinding ? outerDepth + 1 : outerDepth
  }
}

extension Names.Entry {
  fileprivate var isBinding: Bool {
    switch self {
    case .variable, .argument, .label: true
    case .constant, .function: false
    }
  }

  fileprivate func isVariable(_ name: String) -> Bool {
    switch self {
    case .variable(name), .constant(name, _): true
    case .argument(let parameter): parameter.isValue && parameter.name == name
    default: false
    }
  }
}

/// The visible names, empty at the top level.
struct Sight {
  var names: Names?

  var depth: Int { names?.depth ?? 0 }

  func adding(_ entry: Names.Entry) -> Sight { Sight(names: Names(entry, in: names)) }

  private func first(where matches: (Names.Entry) -> Bool) -> Names? {
    var next = names
    while let candidate = next {
      if matches(candidate.entry) { return candidate }
      next = candidate.outer
    }
    return nil
  }

  /// Returns the number of bindings between here and a variable.
  func hops(toVariable name: String) -> Int? { first { $0.isVariable(name) }.map { depth - $0.depth } }

  /// Returns the value of a variable that is always bound to the same one.
  func constant(_ name: String) -> JSONValue? {
    if case .constant(_, let value)? = first(where: { $0.isVariable(name) })?.entry { value } else { nil }
  }

  func hops(toLabel name: String) -> Int? {
    first { if case .label(name) = $0 { true } else { false } }.map { depth - $0.depth }
  }

  /// Returns the function or argument that a call refers to.
  func callee(_ name: String, arity: Int) -> Names? {
    first { entry in
      switch entry {
      case .argument(let parameter): arity == 0 && parameter.name == name
      case .function(name, let parameters, _): parameters.count == arity
      default: false
      }
    }
  }

  /// Returns all names of a kind, for suggestions.
  func all(_ name: (Names.Entry) -> String?) -> [String] {
    var found: [String] = []
    var next = names
    while let candidate = next {
      if let name = name(candidate.entry) { found.append(name) }
      next = candidate.outer
    }
    return found
  }
}
