import GraphEngine
package import GraphModel

/// An operator of configurations, declared once.
///
/// The checks of its parameters, its page in the reference, the editor's schema, the completions and the test of its
/// example are all derived from this value.
package struct OperatorDeclaration: Sendable {
  package let name: String
  /// The names in other systems, for readers who know those.
  package private(set) var synonyms: [String] = []
  /// One sentence.
  package let summary: String
  package let parameters: [ParameterDescription]
  package let example: OperatorExample
  /// The earlier events that an output depends on.
  package let dependence: Dependence
  let prepare: @Sendable (_ argument: ConfigNode?, _ use: ConfigNode, DeclarationReader) -> (any PreparedOperator)?

  /// Declares an operator.
  ///
  /// - Parameters:
  ///   - check: Returns the error in parameters that are valid individually, or `nil`.
  ///   - dependence: The earlier events that an output depends on; all of them by default.
  ///   - advice: Returns a warning about parameters that are unlikely to be intended, or `nil`.
  ///   - apply: Applies the operator to its input.
  init<each Value: ParameterValue>(
    _ name: String, _ summary: String, _ parameters: repeat Parameter<each Value>,
    dependence: Dependence = .history, example: OperatorExample,
    check: @escaping @Sendable (repeat each Value) -> String? = { (_: repeat each Value) in nil },
    advice: @escaping @Sendable (repeat each Value) -> String? = { (_: repeat each Value) in nil },
    apply: @escaping @Sendable (Stream, OperatorContext, repeat each Value) -> Stream
  ) {
    self.init(
      name, summary, dependence, example, ParameterList(repeat each parameters), check, advice,
      work: { values in .onward { input, context in apply(input, context, repeat each values) } })
  }

  /// Declares an operator that works on each value by itself.
  ///
  /// - Parameter step: Returns the work on a value.
  static func each<each Value: ParameterValue>(
    _ name: String, _ summary: String, _ parameters: repeat Parameter<each Value>,
    dependence: Dependence = .history, example: OperatorExample,
    check: @escaping @Sendable (repeat each Value) -> String? = { (_: repeat each Value) in nil },
    advice: @escaping @Sendable (repeat each Value) -> String? = { (_: repeat each Value) in nil },
    step: @escaping @Sendable (OperatorContext, repeat each Value) -> Step
  ) -> OperatorDeclaration {
    OperatorDeclaration(
      name, summary, dependence, example, ParameterList(repeat each parameters), check, advice,
      work: { values in .each { context in step(context, repeat each values) } })
  }

  /// Declares an operator that starts its input itself.
  ///
  /// - Parameter repeatedly: True if it may do so more than once.
  static func starting<each Value: ParameterValue>(
    _ name: String, _ summary: String, _ parameters: repeat Parameter<each Value>, repeatedly: Bool,
    dependence: Dependence = .history, example: OperatorExample,
    check: @escaping @Sendable (repeat each Value) -> String? = { (_: repeat each Value) in nil },
    advice: @escaping @Sendable (repeat each Value) -> String? = { (_: repeat each Value) in nil },
    apply: @escaping @Sendable (Recipe, OperatorContext, repeat each Value) -> Stream
  ) -> OperatorDeclaration {
    OperatorDeclaration(
      name, summary, dependence, example, ParameterList(repeat each parameters), check, advice,
      work: { values in
        .starting(repeatedly: repeatedly) { input, context in apply(input, context, repeat each values) }
      })
  }

  /// Declares an operator without parameters; a pack without elements crashes the compiler (Swift 6.3).
  init(
    _ name: String, _ summary: String, dependence: Dependence = .history, example: OperatorExample,
    apply: @escaping @Sendable (Stream, OperatorContext) -> Stream
  ) {
    self.init(name, summary, dependence, example) { .onward(apply) }
  }

  /// Declares an operator without parameters that works on each value by itself.
  static func each(
    _ name: String, _ summary: String, dependence: Dependence = .history, example: OperatorExample,
    step: @escaping @Sendable (OperatorContext) -> Step
  ) -> OperatorDeclaration {
    OperatorDeclaration(name, summary, dependence, example) { .each(step) }
  }

  /// Returns it with its names in other systems: ReactiveX, stream processors, brokers, shells.
  func alsoKnown(as synonyms: String...) -> OperatorDeclaration {
    var declaration = self
    declaration.synonyms = synonyms
    return declaration
  }

  private init(
    _ name: String, _ summary: String, _ dependence: Dependence, _ example: OperatorExample,
    work: @escaping @Sendable () -> OperatorWork
  ) {
    self.name = name
    self.summary = summary
    self.dependence = dependence
    self.example = example
    parameters = []
    prepare = { argument, use, reader in
      if let argument {
        reader.problems.error("\(name) takes no parameters", at: argument)
        return nil
      }
      let place = reader.nextPlace(of: use)
      return PlainOperatorUse(
        name: name, dependence: dependence, ranks: Ranks(entry: place, exit: place), make: work)
    }
  }

  private init<each Value: ParameterValue>(
    _ name: String, _ summary: String, _ dependence: Dependence, _ example: OperatorExample,
    _ list: ParameterList<repeat each Value>,
    _ check: @escaping @Sendable (repeat each Value) -> String?,
    _ advice: @escaping @Sendable (repeat each Value) -> String?,
    work: @escaping @Sendable ((repeat each Value)) -> OperatorWork
  ) {
    self.name = name
    self.summary = summary
    self.dependence = dependence
    self.example = example
    self.parameters = list.descriptions
    let rule = OperatorRule(name: name, dependence: dependence, work: work)
    prepare = { argument, use, reader in
      let entry = reader.nextPlace()
      guard let values = list.read(argument, of: name, at: use, reader) else { return nil }
      if let complaint = check(repeat each values) {
        reader.problems.error("\(name): \(complaint)", at: argument ?? use)
        return nil
      }
      if let advice = advice(repeat each values) {
        reader.problems.warning("\(name): \(advice)", at: argument ?? use)
      }
      return OperatorUse(rule, (repeat each values), Ranks(entry: entry, exit: reader.nextPlace(of: use)))
    }
  }
}

/// The part that all uses of an operator share.
private final class OperatorRule<each Value: ParameterValue>: Sendable {
  let name: String
  let dependence: Dependence
  let work: @Sendable ((repeat each Value)) -> OperatorWork

  init(name: String, dependence: Dependence, work: @escaping @Sendable ((repeat each Value)) -> OperatorWork) {
    self.name = name
    self.dependence = dependence
    self.work = work
  }
}

/// One use of an operator.
private final class OperatorUse<each Value: ParameterValue>: BuildableOperator {
  private let rule: OperatorRule<repeat each Value>
  let ranks: Ranks
  private let values: (repeat each Value)

  init(_ rule: OperatorRule<repeat each Value>, _ values: (repeat each Value), _ ranks: Ranks) {
    self.rule = rule
    self.ranks = ranks
    self.values = (repeat each values)
  }

  var name: String { rule.name }
  var dependence: Dependence { rule.dependence }
  var work: OperatorWork { rule.work((repeat each values)) }
  var startsItsInput: Bool { work.startsItsInput }

  var references: [SignalReference] { ParameterList.references(of: (repeat each values)) }

  var targets: [String] {
    var targets: [String] = []
    for value in repeat each values { targets += value.targets }
    return targets
  }

  var calls: [String] {
    var calls: [String] = []
    for value in repeat each values { calls += value.calls }
    return calls
  }

  var steps: [any PreparedOperator] {
    var steps: [any PreparedOperator] = []
    for value in repeat each values { steps += value.steps }
    return steps
  }

  var groupingKey: GraphExpression? {
    if name != OperatorDeclaration.groupBy.name { return nil }
    for value in repeat each values {
      if let key = value as? GraphExpression { return key }
    }
    return nil
  }
}

/// One use of an operator without parameters.
private final class PlainOperatorUse: BuildableOperator {
  let name: String
  let dependence: Dependence
  let ranks: Ranks
  private let make: @Sendable () -> OperatorWork

  init(name: String, dependence: Dependence, ranks: Ranks, make: @escaping @Sendable () -> OperatorWork) {
    self.name = name
    self.dependence = dependence
    self.ranks = ranks
    self.make = make
  }

  var work: OperatorWork { make() }
  var startsItsInput: Bool { work.startsItsInput }
  var references: [SignalReference] { [] }
  var targets: [String] { [] }
  var calls: [String] { [] }
  var steps: [any PreparedOperator] { [] }
  var groupingKey: GraphExpression? { nil }
}

/// A pipe with its inputs and outputs, both documentation and test.
package struct OperatorExample: Sendable {
  /// One item of a `pipe`, in YAML.
  package let pipe: String
  /// Diagrams by signal; `in` is the pipe's source.
  package let given: [String: String]
  /// Diagrams by action: the output of its program, and its end.
  package let programs: [String: String]
  /// True if each start of `in` is a run of its own.
  package let isCold: Bool
  package let expected: String
  /// The values of the letters in the diagrams, as a YAML mapping.
  package let values: String
  /// The time between two columns.
  package let tick: String

  init(
    _ pipe: String, in input: String, isCold: Bool = false, others: [String: String] = [:],
    programs: [String: String] = [:], out: String, values: String = "{}", tick: String = "1s"
  ) {
    self.programs = programs
    self.pipe = pipe
    self.isCold = isCold
    self.given = others.merging(["in": input]) { _, new in new }
    self.expected = out
    self.values = values
    self.tick = tick
  }
}
