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
    self.init(
      name, summary, example, ParameterList(repeat each parameters), check,
      work: { values in .onward { input, context in apply(input, context, repeat each values) } })
  }

  /// Declares an operator that starts its input itself.
  ///
  /// - Parameter repeatedly: Whether it may do so more than once.
  static func starting<each Value: ParameterValue>(
    _ name: String, _ summary: String, _ parameters: repeat Parameter<each Value>, repeatedly: Bool,
    example: OperatorExample,
    check: @escaping @Sendable (repeat each Value) -> String? = { (_: repeat each Value) in nil },
    apply: @escaping @Sendable (StreamProducer, OperatorContext, repeat each Value) -> StreamProducer
  ) -> OperatorDeclaration {
    OperatorDeclaration(
      name, summary, example, ParameterList(repeat each parameters), check,
      work: { values in
        .starting(repeatedly: repeatedly) { input, context in apply(input, context, repeat each values) }
      })
  }

  /// Declares an operator without parameters; a pack without elements crashes the compiler (Swift 6.3).
  init(
    _ name: String, _ summary: String, example: OperatorExample,
    apply: @escaping @Sendable (Stream, OperatorContext) -> Stream
  ) {
    self.name = name
    self.summary = summary
    self.example = example
    parameters = []
    prepare = { argument, use, reader in
      if let argument {
        reader.problems.error("\(name) takes no parameter", at: argument)
        return nil
      }
      let place = reader.nextPlace()
      return PreparedOperator(
        name: name, references: [], ranks: Ranks(entry: place, exit: place), work: .onward(apply))
    }
  }

  private init<each Value: ParameterValue>(
    _ name: String, _ summary: String, _ example: OperatorExample, _ list: ParameterList<repeat each Value>,
    _ check: @escaping @Sendable (repeat each Value) -> String?,
    work: @escaping @Sendable ((repeat each Value)) -> PreparedOperator.Work
  ) {
    self.name = name
    self.summary = summary
    self.example = example
    self.parameters = list.descriptions
    prepare = { argument, use, reader in
      let entry = reader.nextPlace()
      guard let values = list.read(argument, of: name, at: use, reader) else { return nil }
      if let complaint = check(repeat each values) {
        reader.problems.error("\(name): \(complaint)", at: argument ?? use)
        return nil
      }
      var references: [SignalReference] = []
      for value in repeat each values { references += value.references }
      return PreparedOperator(
        name: name, references: references, ranks: Ranks(entry: entry, exit: reader.nextPlace()),
        work: work((repeat each values)))
    }
  }
}

/// An operator whose parameters were read and found right.
struct PreparedOperator: Sendable {
  enum Work: Sendable {
    /// It works on what comes.
    case onward(@Sendable (Stream, OperatorContext) -> Stream)
    /// It starts what stands before it, perhaps again and again.
    case starting(repeatedly: Bool, @Sendable (StreamProducer, OperatorContext) -> StreamProducer)
  }

  let name: String
  let references: [SignalReference]
  let ranks: Ranks
  let work: Work

  var startsItsInput: Bool {
    if case .starting = work { true } else { false }
  }

  var startsItsInputAgain: Bool {
    if case .starting(repeatedly: true, _) = work { true } else { false }
  }
}

/// A pipe, what goes in and what comes out: documentation and test at once.
package struct OperatorExample: Sendable {
  /// One item of a `pipe`, in YAML.
  package let pipe: String
  /// Diagrams by signal; the pipe hangs on `in`.
  package let given: [String: String]
  /// Whether `in` begins anew each time that it is started.
  package let isCold: Bool
  package let expected: String
  /// What the letters of the diagrams stand for, as a YAML mapping.
  package let values: String
  /// The time between two columns.
  package let tick: String

  init(
    _ pipe: String, in input: String, isCold: Bool = false, others: [String: String] = [:], out: String,
    values: String = "{}", tick: String = "1s"
  ) {
    self.pipe = pipe
    self.isCold = isCold
    self.given = others.merging(["in": input]) { _, new in new }
    self.expected = out
    self.values = values
    self.tick = tick
  }
}
