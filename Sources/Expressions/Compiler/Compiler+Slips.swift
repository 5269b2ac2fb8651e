internal import Base

/// Messages about names that do not exist.
extension Compiler {
  /// Returns the fault of a call of an unknown function.
  func unknown(_ name: String, _ arguments: [Syntax], _ range: Range<Int>, _ sight: Sight) -> SyntaxFault {
    let place = range.lowerBound..<range.lowerBound + name.utf8.count
    if let reason = Omission.functions[name] { return SyntaxFault(message: reason, range: place) }
    let defined = sight.all { entry in
      switch entry {
      case .function(let name, _, _): name
      case .argument(let parameter): parameter.name
      default: nil
      }
    }
    let arities = arities(of: name, sight)
    if !arities.isEmpty { return SyntaxFault(message: Self.wrongArity(name, arities, arguments), range: place) }
    let nearest =
      Suggestion.likely(for: name, among: defined) ?? (variables.contains(name) ? "$" + name : nil)
      ?? ForeignSyntax.name(for: name) ?? Suggestion.likely(for: name, among: Builtin.all.map(\.name))
    let isMember = nearest == nil && arguments.isEmpty
    let advice = isMember ? "; a member is '.\(name)', a string is '\"\(name)\"'" : ""
    return SyntaxFault(message: "no function \(name)" + advice, range: place, suggestion: nearest)
  }

  /// Returns the arities of the functions of a name.
  private func arities(of name: String, _ sight: Sight) -> [Int] {
    var next = sight.names
    var arities: Set<Int> = []
    while let names = next {
      switch names.entry {
      case .function(name, let parameters, _): arities.insert(parameters.count)
      case .argument(let parameter) where parameter.name == name: arities.insert(0)
      default: break
      }
      next = names.outer
    }
    return arities.union(Builtin.all.filter { $0.name == name }.map(\.parameters.count)).sorted()
  }

  private static func wrongArity(_ name: String, _ arities: [Int], _ arguments: [Syntax]) -> String {
    let most = arities.last ?? 0
    let wanted = arities.map { $0 == 0 ? "no" : String($0) }.joined(separator: " or ")
    let message = "\(name) takes \(wanted) argument\(most == 1 ? "" : "s"), not \(arguments.count)"
    if most == 0 { return message + "; it works on its input: '.a | \(name)'" }
    if arguments.count == 1, case .comma = arguments[0].kind { return message + "; ';' stands between arguments" }
    return message
  }

  /// Throws an explanation that `.a-b` subtracts, if `b` cannot be a number.
  func refuseHyphenatedName(_ left: Syntax, _ right: Syntax, _ sight: Sight) throws(SyntaxFault) {
    guard case .index(_, let key, _) = left.kind, case .constant(let first) = key.kind, let first = first.asString,
      let (second, end) = Self.leadingCall(right), right.range.lowerBound == left.range.upperBound + 1,
      arities(of: second, sight).isEmpty
    else { return }
    let range = key.range.lowerBound..<end
    throw SyntaxFault(
      message: "no function \(second); a member with '-' in its name is '.\"\(first)-\(second)\"'", range: range)
  }

  /// Returns the call without arguments that a path starts with.
  private static func leadingCall(_ syntax: Syntax) -> (name: String, end: Int)? {
    switch syntax.kind {
    case .call(let name, let arguments): arguments.isEmpty ? (name, syntax.range.upperBound) : nil
    case .index(let target, _, _), .iterate(let target, _): leadingCall(target)
    default: nil
    }
  }
}
