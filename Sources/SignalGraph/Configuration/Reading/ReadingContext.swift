/// What all readers of one configuration share: where problems go, and what `${…}` stands for.
package final class ReadingContext {
  package let problems: Problems
  let replacements: Replacements
  let expressions = CompiledExpressions()
  /// The bounds that the files give, once they have been read.
  var limits = Limits()

  package init(problems: Problems, inputs: ConfigurationInputs) {
    self.problems = problems
    replacements = Replacements(inputs)
  }

  /// A reader of a node.
  package func reader(_ node: ConfigNode) -> Reader { Reader(node, self) }

  /// The same for reading something a second time: what is wrong with it was reported then.
  package func withoutReporting() -> ReadingContext { ReadingContext(problems: Problems(), replacements: replacements) }

  private init(problems: Problems, replacements: Replacements) {
    self.problems = problems
    self.replacements = replacements
  }
}
