internal import Base
internal import JSON

/// The compiler of a syntax tree into nodes, which resolves every name.
final class Compiler {
  /// The variables of the environment, by index; the last of equal names is visible.
  let variables: [String]
  /// The variables in use.
  private(set) var usedVariables: Set<String> = []
  /// True once a regular expression may be used.
  var usesPatterns = false
  /// True if the expression reads the time.
  var readsClock = false
  /// The names of the time zones that are looked up; that of the machine's own is empty.
  var zoneNames: Set<String> = []
  /// The used builtins that are defined in the language itself, by name and arity.
  var definitions: [String: FunctionBody] = [:]
  /// The number of enclosing functions that are being compiled a second time; see `functionBody`.
  var repetitions = 0

  /// The time zones that literals may name.
  let zones: any TimeZoneSource

  init(variables: [String], zones: any TimeZoneSource) { (self.variables, self.zones) = (variables, zones) }

  func compile(_ syntax: Syntax, _ sight: Sight) throws(SyntaxFault) -> any Node {
    switch syntax.kind {
    case .identity: return IdentityNode.shared
    case .descent: return RecurseNode(IterateNode(IdentityNode.shared, isOptional: true))
    case .constant(let value): return ConstantNode(value)
    case .number(let value, let text): return ConstantNode(Self.literal(value, text))
    case .format(let name): return FormatNode(TextFormat(rawValue: name) ?? .text)
    case .variable(let name): return try variable(name, syntax.range, sight)
    case .string(let parts, let format): return try string(parts, format, sight)
    case .index, .slice, .iterate: return try path(syntax, sight)
    case .negate(let operand): return negation(try compile(operand, sight))
    case .pipe(let first, let second): return PipeNode(try compile(first, sight), try compile(second, sight))
    case .comma(let items): return CommaNode(try compileAll(items, sight))
    case .binary(let operation, let left, let right):
      if operation == .subtract { try refuseHyphenatedName(left, right, sight) }
      return try binary(operation, compile(left, sight), compile(right, sight))
    case .array(let items): return array(try items.map { items throws(SyntaxFault) in try compile(items, sight) })
    case .object(let entries): return try object(entries, sight)
    case .call(let name, let arguments): return try call(name, arguments, syntax.range, sight)
    default: return try form(syntax, sight)
    }
  }

  func compileAll(_ items: [Syntax], _ sight: Sight) throws(SyntaxFault) -> [any Node] {
    try items.map { item throws(SyntaxFault) in try compile(item, sight) }
  }

  /// Compiles the forms with scopes or branches.
  private func form(_ syntax: Syntax, _ sight: Sight) throws(SyntaxFault) -> any Node {
    switch syntax.kind {
    case .conditional(let condition, let consequence, let otherwise):
      return ConditionalNode(
        try compile(condition, sight), then: try compile(consequence, sight),
        otherwise: try otherwise.map { otherwise throws(SyntaxFault) in try compile(otherwise, sight) }
          ?? IdentityNode.shared)
    case .attempt(let body, let handler):
      return AttemptNode(
        try compile(body, sight),
        handler: try handler.map { handler throws(SyntaxFault) in try compile(handler, sight) })
    case .reduce, .foreach: return try fold(syntax, sight)
    case .bind(let source, let patterns, let body):
      let source = try compile(source, sight)
      if let constant = source as? ConstantNode, case .variable(let name) = patterns.first, patterns.count == 1 {
        return try compile(body, sight.adding(.constant(name, constant.value)))
      }
      let (destructuring, inner) = try destructuring(patterns, sight)
      return BindNode(source, as: destructuring, in: try compile(body, inner))
    case .define(let function, let rest):
      let body = try functionBody(function, sight)
      return try compile(rest, sight.adding(.function(function.name, function.parameters, body)))
    case .label(let name, let body): return LabelNode(try compile(body, sight.adding(.label(name))))
    case .breakOut(let name):
      guard let hops = sight.hops(toLabel: name) else {
        throw SyntaxFault(message: "no label $\(name) around this 'break'", range: syntax.range)
      }
      return BreakNode(hops: hops)
    default: preconditionFailure("a kind of syntax that is not compiled")
    }
  }

  /// A number, which keeps its text until it is computed with.
  private static func literal(_ value: Double, _ text: String) -> JSONValue {
    let number = JSONValue.number(value)
    let isJSON = value.isFinite && !text.hasPrefix(".") && !text.hasSuffix(".") && !text.contains(".e")
    let startsWithZero = text.utf8.first == UInt8(ascii: "0") && text.utf8.dropFirst().first?.isDigit == true
    guard isJSON, !startsWithZero, !text.contains(".E"), number.description != text else { return number }
    return .verbatim(Verbatim(number, text: text))
  }

  private func variable(_ name: String, _ range: Range<Int>, _ sight: Sight) throws(SyntaxFault) -> any Node {
    if let constant = sight.constant(name) { return ConstantNode(constant) }
    if let hops = sight.hops(toVariable: name) { return VariableNode(hops: hops) }
    if let index = variables.lastIndex(of: name) {
      usedVariables.insert(name)
      return EnvironmentVariableNode(index: index)
    }
    let bound = sight.all { entry in
      switch entry {
      case .variable(let name), .constant(let name, _): name
      case .argument(let parameter): parameter.isValue ? parameter.name : nil
      default: nil
      }
    }
    let nearest = Suggestion.likely(for: name, among: bound + variables)
    let known = nearest == nil ? (variables + bound.reversed()).map { "$" + $0 } : []
    let message = "$\(name) is not defined" + (known.isEmpty ? "" : "; there is " + known.joined(separator: ", "))
    throw SyntaxFault(message: message, range: range, suggestion: nearest.map { "$" + $0 })
  }

  private func fold(_ syntax: Syntax, _ sight: Sight) throws(SyntaxFault) -> any Node {
    switch syntax.kind {
    case .reduce(let source, let patterns, let initial, let update):
      let (destructuring, inner) = try destructuring(patterns, sight)
      return ReduceNode(
        try compile(source, sight), as: destructuring, initial: try compile(initial, sight),
        update: try compile(update, inner))
    case .foreach(let source, let patterns, let initial, let update, let extract):
      let (destructuring, inner) = try destructuring(patterns, sight)
      return ForeachNode(
        try compile(source, sight), as: destructuring, initial: try compile(initial, sight),
        update: try compile(update, inner),
        extract: try extract.map { extract throws(SyntaxFault) in try compile(extract, inner) } ?? IdentityNode.shared)
    default: preconditionFailure("not a fold")
    }
  }
}
