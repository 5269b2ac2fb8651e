/// A program and its arguments, as a parameter.
package struct Command: ParameterValue {
  package let words: [String]

  package static var typeName: String { "a program and its arguments, as a list" }
  package static var shape: ParameterShape { .texts }
  package var defaultText: String? { nil }
  package var needs: [OutsideNeed] { [.program] }

  package static func read(_ node: ConfigNode, _ reading: ParameterReading) -> Command? {
    let problems = reading.reader.problems
    guard let elements = node.elements else {
      problems.error(
        "expected \(typeName), found \(node.summary); for a shell command, use [sh, -c, \"…\"]", at: node)
      return nil
    }
    guard let first = elements.first else {
      problems.error("missing program: the list is empty", at: node)
      return nil
    }
    let words = elements.compactMap { reading.reader($0).text() }
    guard words.count == elements.count else { return nil }
    for (word, element) in zip(words, elements) where word.utf8.contains(0) {
      problems.error("an argument of a program cannot contain a NUL", at: element)
      return nil
    }
    guard words[0].hasPrefix("/") || !words[0].isEmpty && !words[0].contains("/") else {
      problems.error(
        "a program must be an absolute path, or a name without \"/\" that is searched in PATH", at: first)
      return nil
    }
    for (index, element) in elements.enumerated() where index == 0 || words[index - 1] != "-c" {
      warn(ofVariablesIn: words[index], element, problems)
    }
    return Command(words: words)
  }

  /// Warns of an expression variable, which a program's argument does not expand.
  ///
  /// The text after `-c` is for a shell, which has variables of its own.
  private static func warn(ofVariablesIn word: String, _ element: ConfigNode, _ problems: Problems) {
    for variable in ["$value", "$key", "$signal"] where word.contains(variable) {
      problems.warning(
        "\(variable) is not expanded here: the arguments of a program are literal; "
          + "pass a value on standard input, with input: \(variable) or as the value of an action",
        at: element)
    }
  }
}
