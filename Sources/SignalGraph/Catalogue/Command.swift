/// A program and its arguments, as a parameter gives them.
struct Command: ParameterValue {
  let words: [String]

  static var typeName: String { "a program and its arguments, as a list" }
  static var shape: ParameterShape { .texts }
  var defaultText: String? { nil }
  var needs: [OutsideNeed] { [.program] }

  static func read(_ node: ConfigNode, _ reading: ParameterReading) -> Command? {
    let problems = reading.reader.problems
    guard let elements = node.elements else {
      problems.error(
        "expected \(typeName), found \(node.summary); a line for the shell is [sh, -c, \"…\"]", at: node)
      return nil
    }
    guard let first = elements.first else {
      problems.error("a program is missing: the list is empty", at: node)
      return nil
    }
    let words = elements.compactMap { reading.reader($0).text() }
    guard words.count == elements.count else { return nil }
    for (word, element) in zip(words, elements) where word.utf8.contains(0) {
      problems.error("a program's argument cannot hold a NUL", at: element)
      return nil
    }
    guard words[0].hasPrefix("/") || !words[0].isEmpty && !words[0].contains("/") else {
      problems.error(
        "a program is an absolute path, or a name without \"/\" that is looked for in the usual places", at: first)
      return nil
    }
    for (index, element) in elements.enumerated() where index == 0 || words[index - 1] != "-c" {
      warn(ofVariablesIn: words[index], element, problems)
    }
    return Command(words: words)
  }

  /// Warns of a variable of expressions, whose author expects its value.
  ///
  /// The text after `-c` is for a shell, which has variables of its own.
  private static func warn(ofVariablesIn word: String, _ element: ConfigNode, _ problems: Problems) {
    for variable in ["$value", "$key", "$signal"] where word.contains(variable) {
      problems.warning(
        "\(variable) is no variable here: a program gets its words as they are written; "
          + "a value reaches a program on its standard input, by input: \(variable) or as that of an action",
        at: element)
    }
  }
}
