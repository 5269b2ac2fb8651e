internal import JSON

/// A node of the syntax tree, with its place in the source.
final class Syntax: Sendable {
  let kind: Kind
  /// The range of the source in bytes.
  let range: Range<Int>

  init(_ kind: Kind, _ range: Range<Int>) {
    self.kind = kind
    self.range = range
  }

  enum Kind: Sendable {
    case identity
    case descent
    case constant(JSONValue)
    /// A number and its text.
    case number(Double, text: String)
    case string([StringPart], format: String?)
    case format(String)
    case variable(String)
    case index(Syntax, key: Syntax, isOptional: Bool)
    case slice(Syntax, from: Syntax?, upTo: Syntax?, isOptional: Bool)
    case iterate(Syntax, isOptional: Bool)
    case negate(Syntax)
    case pipe(Syntax, Syntax)
    case comma([Syntax])
    case binary(Operator, Syntax, Syntax)
    case conditional(Syntax, then: Syntax, otherwise: Syntax?)
    case attempt(Syntax, handler: Syntax?)
    case reduce(Syntax, [Pattern], initial: Syntax, update: Syntax)
    case foreach(Syntax, [Pattern], initial: Syntax, update: Syntax, extract: Syntax?)
    case define(FunctionDefinition, in: Syntax)
    case bind(Syntax, [Pattern], in: Syntax)
    case label(String, Syntax)
    case breakOut(String)
    case call(String, [Syntax])
    case array(Syntax?)
    case object([ObjectEntry])
  }
}

/// A part of a string literal: text, or an expression in `\(…)`.
enum StringPart: Sendable {
  case text(String)
  case interpolation(Syntax)
}

/// One `key: value` of an object construction; a missing value denotes that key of the input.
struct ObjectEntry: Sendable {
  let key: Syntax
  let value: Syntax?
}

/// A pattern of `as`.
indirect enum Pattern: Sendable {
  case variable(String)
  case array([Pattern])
  case object([PatternEntry])
}

/// One entry of an object pattern: `$name`, `$name: pattern`, `key: pattern`.
struct PatternEntry: Sendable {
  let variable: String?
  let key: Syntax
  let pattern: Pattern?
}

/// A definition, `def name(parameters): body;`.
struct FunctionDefinition: Sendable {
  struct Parameter: Sendable {
    let name: String
    /// True if it is written `$name`, hence called by value.
    let isValue: Bool
  }

  let name: String
  let parameters: [Parameter]
  let body: Syntax
}
