import GraphCatalogue
import GraphModel

/// The reference page of operators and sources, generated from their declarations.
///
/// `docs/operators.md` is this text; a test compares the two.
package enum OperatorReference {
  package static var markdown: String {
    let sections =
      [head, "## Operators", index(Catalogue.operators.map(\.name))] + Catalogue.operators.map(section)
      + ["## Sources", sourcesHead, index(Catalogue.sources.map(\.name))] + Catalogue.sources.map(section)
      + [functions]
    return sections.joined(separator: "\n\n") + "\n"
  }

  private static let head = """
    # Operators, sources and functions

    Everything that a signal of a configuration can be made of: one source, then any number of operators, in order.

    ```yaml
    smooth:
      from: celsius                  # the source
      pipe:                          # the operators
        - window: {count: 5}
        - map: add / length
        - skip_repeats
    ```

    This page is generated from the declarations that the daemon reads configurations with. A word in capitals in a
    form is a placeholder for the parameter of that name. Expressions, durations and signals are explained in
    [configuration.md](configuration.md).

    The examples are marble diagrams: time runs to the right, a column is one second, `-` is nothing, a letter or
    digit a value, `(12)` several values in one column, `|` the completion, `#` a failure. A letter is the value that
    `values` gives it, else `t` is true, `f` is false, and another letter that string.
    """

  private static let sourcesHead = """
    Each signal has exactly one of these keys. The kind is that shown by `list` and `describe`.
    """

  private static func index(_ names: [String]) -> String {
    names.map { "[\($0)](#\($0))" }.joined(separator: " · ")
  }
}

// MARK: - One section

extension OperatorReference {
  private static func section(_ declaration: OperatorDeclaration) -> String {
    let alone = declaration.standsAlone ? declaration.name : nil
    let forms = declaration.parameters.forms(of: declaration.name, alone: alone).map { "- \($0)" }
    return section(
      declaration.name, [declaration.summary, yaml(forms), table(declaration.parameters), example(declaration.example)])
  }

  private static func section(_ declaration: SourceDeclaration) -> String {
    let alone = declaration.standsAlone ? "\(declaration.name): {}" : nil
    let forms = declaration.parameters.forms(of: declaration.name, alone: alone)
    let summary = "\(declaration.summary) Kind: \(declaration.kind.rawValue)."
    return section(declaration.name, [summary, yaml(forms), table(declaration.parameters)])
  }

  private static func section(_ name: String, _ paragraphs: [String]) -> String {
    (["### \(name)"] + paragraphs).filter { !$0.isEmpty }.joined(separator: "\n\n")
  }

  private static func yaml(_ lines: [String]) -> String {
    (["```yaml"] + lines + ["```"]).joined(separator: "\n")
  }

  private static func table(_ parameters: [ParameterDescription]) -> String {
    guard !parameters.isEmpty else { return "" }
    let rows = parameters.map { parameter in
      "| `\(parameter.shownName)` | \(parameter.shownType) | \(parameter.shownDefault) | \(parameter.meaning) |"
    }
    return (["| parameter | is | default | meaning |", "| --- | --- | --- | --- |"] + rows).joined(separator: "\n")
  }

  private static func example(_ example: OperatorExample) -> String {
    (["```text"] + example.lines + ["```"]).joined(separator: "\n")
  }
}

extension OperatorExample {
  /// The item of a pipe, then its inputs and outputs in aligned rows.
  package var lines: [String] {
    let names = ["in"] + given.keys.filter { $0 != "in" }.sorted()
    let rows =
      names.map { ($0, given[$0] ?? "") } + programs.sorted { $0.key < $1.key } + [("out", expected)]
    let width = rows.map(\.0.count).max() ?? 0
    var lines = ["- \(pipe)", ""]
    lines += rows.map { name, diagram in
      name + String(repeating: " ", count: width - name.count + 2) + diagram
    }
    if isCold { lines += ["", "each start of in is a separate run"] }
    if values != "{}" { lines += ["", "values: \(values)"] }
    if tick != "1s" { lines += ["", "a column is \(tick)"] }
    return lines
  }
}
