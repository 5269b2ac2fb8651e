import Expressions

// The functions of expressions, for the reference.

extension OperatorReference {
  static var functions: String {
    let head = """
      ## Functions

      An expression can call these functions, besides the operators of the language. An example shows an input, an
      expression and its outputs.

      | function | does | example |
      | --- | --- | --- |
      """
    let rows = Builtin.all.filter { !isOfTheCLibrary($0) }.map(row)
    let others = Builtin.all.filter(isOfTheCLibrary).map { code(signature($0)) }
    return ([head] + rows).joined(separator: "\n")
      + "\n\nFunctions of the C library are available too: \(others.joined(separator: ", "))."
  }

  private static func isOfTheCLibrary(_ function: Builtin) -> Bool {
    function.summary == "The C library's \(function.name)."
  }

  private static func row(_ function: Builtin) -> String {
    let example = function.example
    let outputs = example.outputs.isEmpty ? "nothing" : example.outputs.map(code).joined(separator: ", ")
    return "| \(code(signature(function))) | \(function.summary) "
      + "| \(code(example.input)) → \(code(example.expression)) → \(outputs) |"
  }

  private static func signature(_ function: Builtin) -> String {
    function.parameters.isEmpty ? function.name : "\(function.name)(\(function.parameters.joined(separator: "; ")))"
  }

  /// Returns code for a table cell, where a bar would end the cell.
  private static func code(_ text: String) -> String {
    "`\(text.split(separator: "|", omittingEmptySubsequences: false).joined(separator: "\\|"))`"
  }
}
