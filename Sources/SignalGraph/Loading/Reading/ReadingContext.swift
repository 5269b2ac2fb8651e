/// The things that all readers of one configuration share: its problems, and the replacements of `${…}`.
package final class ReadingContext {
  package let problems: Problems
  let inputs: ConfigurationInputs
  let replacements: Replacements
  let expressions = CompiledExpressions()
  /// The users and groups of access rules that are known on this machine.
  private(set) lazy var names = AccountNames(problems, inputs)
  let timeZones: TimeZones
  /// The bounds that the files give, once they have been read.
  var limits = Limits()
  /// Whether the files name a bus for signals.
  var hasBus = false
  /// All that the files name on buses.
  var busMentions: [BusMention] = []
  /// Where the sources and operators of each signal stand, if somebody asks for that.
  var stepPlaces: StepPlaces?

  /// The expressions that were read from templates, with the values of parameters in them.
  private var expressionsOfTemplates: [ObjectIdentifier: String] = [:]

  package init(problems: Problems, inputs: ConfigurationInputs) {
    self.problems = problems
    self.inputs = inputs
    replacements = Replacements(inputs)
    timeZones = TimeZones(inputs)
  }

  /// A reader of a node.
  package func reader(_ node: ConfigNode) -> Reader { Reader(node, self) }

  /// The same for reading something a second time: what is wrong with it was reported then.
  package func withoutReporting() -> ReadingContext { ReadingContext(of: self) }

  /// Keeps the text of an expression that was read from a template.
  func note(_ expression: String, for scalar: ParameterisedScalar) {
    expressionsOfTemplates[ObjectIdentifier(scalar)] = expression
  }

  /// The text of a node that was read as an expression of a template.
  func expression(at node: ConfigNode) -> String? {
    node.parameterised.flatMap { expressionsOfTemplates[ObjectIdentifier($0)] }
  }

  private init(of other: ReadingContext) {
    problems = Problems()
    inputs = other.inputs
    replacements = other.replacements
    timeZones = other.timeZones
  }
}
