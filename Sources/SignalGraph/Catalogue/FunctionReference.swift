import Expressions

// The functions of expressions, for the reference.

extension OperatorReference {
  static var functions: String {
    let head = """
      ## Functions

      What an expression can call beside the operators of the language. An example shows an input and the outputs.

      | function | does | example |
      | --- | --- | --- |
      """
    return ([head] + Builtin.all.map(row)).joined(separator: "\n")
  }

  private static func row(_ function: Builtin) -> String {
    let example = function.example
    let call = function.parameters.isEmpty ? "" : "(\(function.parameters.joined(separator: "; ")))"
    let outputs = example.outputs.isEmpty ? "nothing" : example.outputs.map(code).joined(separator: ", ")
    return "| \(code(function.name + call)) | \(function.summary) "
      + "| \(code(example.input)) → \(code(example.expression)) → \(outputs) |"
  }

  /// Code within a table, where a bar would end the cell.
  private static func code(_ text: String) -> String {
    "`\(text.split(separator: "|", omittingEmptySubsequences: false).joined(separator: "\\|"))`"
  }
}
