package import Base

/// The shared state of all readers of one configuration: its problems and the replacements of `${…}`.
package final class ReadingContext {
  package let problems: Problems
  package let inputs: ConfigurationInputs
  let replacements: Replacements
  let expressions: CompiledExpressions
  /// The users and groups of access rules, looked up on this machine.
  private(set) lazy var names = AccountNames(problems, inputs)
  package let timeZones: TimeZones
  /// The most bytes of a value: `limits.value` in the files, set once it is read.
  package var valueLimit = 1 << 20
  /// True when the files name a bus for signals.
  package var hasBus = false
  /// True if the daemon is a node of a cluster.
  package var hasCluster = false
  /// The location of the machine, if the files name a valid one.
  package var location: GeographicLocation?
  /// True when the files name a location, valid or not.
  package var namesLocation = false
  /// The connections in the files: their names, kinds, and the beginnings of the paths of their requests.
  package var connections: [(name: String, kind: String, base: String)] = []
  /// The texts that credentials and files gave settings of other adapters.
  package internal(set) var adapterSecrets: [String] = []
  /// The connections with `discovery`, and the nodes that they announce.
  package var announcing: [(connection: String, node: String)] = []
  /// The names of the connections with errors of their own.
  package internal(set) var brokenConnections: Set<String> = []
  /// True if one of those has `discovery`, or may have it.
  package internal(set) var hasBrokenDiscovery = false
  /// The places of the sources and operators of each signal, if requested.
  package var stepPlaces: StepPlaces?

  /// The expressions from templates, with the values of parameters filled in.
  private var expressionsOfTemplates: [ObjectIdentifier: String] = [:]

  package init(problems: Problems, inputs: ConfigurationInputs) {
    self.problems = problems
    self.inputs = inputs
    replacements = Replacements(inputs)
    timeZones = TimeZones(inputs)
    expressions = CompiledExpressions(timeZones)
  }

  package func reader(_ node: ConfigNode) -> Reader { Reader(node, self) }

  /// Records the text of an expression read from a template.
  func note(_ expression: String, for scalar: ParameterisedScalar) {
    expressionsOfTemplates[ObjectIdentifier(scalar)] = expression
  }

  /// Returns the text of a node that was read as an expression of a template.
  package func expression(at node: ConfigNode) -> String? {
    node.parameterised.flatMap { expressionsOfTemplates[ObjectIdentifier($0)] }
  }
}
