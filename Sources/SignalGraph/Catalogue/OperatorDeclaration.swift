/// An operator of the configuration, declared once.
///
/// From this value come the checking of its parameters, its page in the reference, the editor's schema, the
/// completions and the test that runs its example.
package struct OperatorDeclaration: Sendable {
  package let name: String
  /// One sentence.
  package let summary: String
  package let parameters: [ParameterDescription]
  package let example: OperatorExample
  let prepare: @Sendable (_ argument: ConfigNode?, _ use: ConfigNode, DeclarationReader) -> PreparedOperator?

  /// Declares an operator.
  ///
  /// - Parameters:
  ///   - check: What is wrong with parameters that are right each by itself, or `nil`.
  ///   - apply: Builds the operator onto its input.
  init<each Value: ParameterValue>(
    _ name: String, _ summary: String, _ parameters: repeat Parameter<each Value>, example: OperatorExample,
    check: @escaping @Sendable (repeat each Value) -> String? = { (_: repeat each Value) in nil },
    apply: @escaping @Sendable (Stream, OperatorContext, repeat each Value) -> Stream
  ) {
    self.name = name
    self.summary = summary
    self.example = example
    let list = ParameterList(repeat each parameters)
    self.parameters = list.descriptions
    prepare = { argument, use, reader in
      guard let values = list.read(argument, of: name, at: use, reader) else { return nil }
      if let complaint = check(repeat each values) {
        reader.problems.error("\(name): \(complaint)", at: argument ?? use)
        return nil
      }
      var references: [SignalReference] = []
      for value in repeat each values { references += value.references }
      return PreparedOperator(name: name, references: references) { input, context in
        apply(input, context, repeat each values)
      }
    }
  }
}

/// An operator whose parameters were read and found right.
struct PreparedOperator: Sendable {
  let name: String
  let references: [SignalReference]
  let apply: @Sendable (Stream, OperatorContext) -> Stream
}

/// A pipe, what goes in and what comes out: documentation and test at once.
package struct OperatorExample: Sendable {
  /// One item of a `pipe`, in YAML.
  package let pipe: String
  /// Diagrams by signal; the pipe hangs on `in`.
  package let given: [String: String]
  package let expected: String
  /// What the letters of the diagrams stand for, as a YAML mapping.
  package let values: String
  /// The time between two columns.
  package let tick: String

  init(
    _ pipe: String, in input: String, others: [String: String] = [:], out: String, values: String = "{}",
    tick: String = "1s"
  ) {
    self.pipe = pipe
    self.given = others.merging(["in": input]) { _, new in new }
    self.expected = out
    self.values = values
    self.tick = tick
  }
}
