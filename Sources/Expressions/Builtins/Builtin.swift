internal import Base
internal import JSON

/// A function of the language itself: its name, its description, an example, and its implementation.
///
/// All information about a builtin is derived from its declaration: the compiler's table, the documentation, the
/// suggestions for misspelt names, and the test of the examples.
package struct Builtin: Sendable {
  /// An expression, its input, and its outputs, the last two as JSON.
  package struct Example: Sendable {
    package let expression: String
    package let input: String
    package let outputs: [String]

    init(_ expression: String, _ input: String, _ outputs: String...) {
      self.expression = expression
      self.input = input
      self.outputs = outputs
    }
  }

  /// A function of the input, an argument and a time zone.
  typealias ZonedFunction =
    @Sendable (JSONValue, JSONValue, TimeZone, Environment) throws(ExpressionError) -> JSONValue

  enum Implementation: Sendable {
    case value(ValueNode.Function)
    case value1(ValueNode1.Function)
    case value2(ValueNode2.Function)
    case value3(ValueNode3.Function)
    /// The second argument is the name of the time zone.
    case zoned(ZonedFunction)
    /// The time zone is that of the machine; without an argument, that is null.
    case local(ZonedFunction)
    /// A node of its own, built from the arguments.
    case node(@Sendable ([any Node]) -> any Node)
    /// The body of a function in the language itself.
    case definition(String)
  }

  package let name: String
  /// The names of the parameters; with `$` if passed by value.
  package let parameters: [String]
  package let summary: String
  package let example: Example
  let implementation: Implementation

  init(
    _ name: String, _ parameters: [String] = [], _ summary: String, _ example: Example,
    _ implementation: Implementation
  ) {
    self.name = name
    self.parameters = parameters
    self.summary = summary
    self.example = example
    self.implementation = implementation
  }

  /// The name with the number of parameters, as in `map/1`.
  package var signature: String { "\(name)/\(parameters.count)" }
}

extension Builtin {
  /// All builtins, family by family.
  package static let all: [Builtin] =
    kinds + conversions + numbers + mathematics + strings + arrays + sorting + objects + containment + places + control
    + generators + quantifiers + patterns + dates + tables + streams

  /// The signatures of the builtins that search with regular expressions.
  static let searching = Set(patterns.map(\.signature))

  private static let bySignature = Dictionary(uniqueKeysWithValues: all.map { ($0.signature, $0) })

  static func named(_ name: String, arity: Int) -> Builtin? { bySignature["\(name)/\(arity)"] }
}
