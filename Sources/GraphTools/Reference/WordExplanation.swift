import GraphCatalogue
import GraphModel
package import JSON

/// The help text of an operator or a source, from its declaration.
package struct WordExplanation: Sendable {
  /// True for an operator, false for a source.
  package let isOperator: Bool
  package let name: String
  package let summary: String
  /// The possible notations.
  package let forms: [String]
  private let parameters: [ParameterDescription]
  private let example: OperatorExample?

  /// All words of the catalogue, operators first.
  package static let all =
    Catalogue.operators.map(WordExplanation.init) + Catalogue.sources.map(WordExplanation.init)

  private init(_ declaration: OperatorDeclaration) {
    isOperator = true
    name = declaration.name
    summary = declaration.summary
    parameters = declaration.parameters
    forms = parameters.forms(of: name, alone: declaration.standsAlone ? name : nil).map { "- \($0)" }
    example = declaration.example
  }

  private init(_ declaration: SourceDeclaration) {
    isOperator = false
    name = declaration.name
    summary = declaration.summary
    parameters = declaration.parameters
    forms = parameters.forms(of: name, alone: parameters.contains(where: \.isRequired) ? nil : "\(name): {}")
    example = nil
  }

  /// Returns the summary, notations, parameters and the diagram, if any.
  ///
  /// - Parameter width: The terminal's width. If three columns do not fit, types follow the meanings.
  package func text(width: Int? = nil) -> String {
    var paragraphs = ["\(name) (\(isOperator ? "an operator" : "a source")): \(summary)", Self.indented(forms)]
    if !parameters.isEmpty { paragraphs.append(Self.indented(table(width: width))) }
    if let example { paragraphs.append("Example:\n\n" + Self.indented(example.lines)) }
    return paragraphs.joined(separator: "\n\n") + "\n"
  }

  private func table(width: Int?) -> [String] {
    let table = Self.aligned(parameters.map(Self.row))
    guard let width, table.contains(where: { $0.count + 2 > width }) else { return table }
    return Self.aligned(parameterMeanings.map { [$0.word, $0.meaning] })
  }

  /// The parameters with their meanings, types and defaults.
  package var parameterMeanings: [(word: String, meaning: String)] {
    parameters.map { parameter in
      let row = Self.row(parameter)
      return (row[0], "\(row[1]) (\(row[2]))")
    }
  }

  private static func row(_ parameter: ParameterDescription) -> [String] {
    let initial = parameter.isRequired ? "required" : parameter.initial.map { "default \($0)" } ?? "optional"
    return [parameter.shownName, parameter.meaning, "\(parameter.shownType), \(initial)"]
  }

  private static func aligned(_ rows: [[String]]) -> [String] {
    let widths = (rows.first ?? []).indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
      let cells = zip(row, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }
      return String(cells.joined(separator: "  ").reversed().drop { $0 == " " }.reversed())
    }
  }

  private static func indented(_ lines: [String]) -> String {
    lines.map { $0.isEmpty ? "" : "  " + $0 }.joined(separator: "\n")
  }

  /// The explanation as JSON.
  package var json: JSONValue {
    let parameters = parameters.map { parameter -> JSONValue in
      var object: JSONObject = [
        "name": .string(parameter.name), "type": .string(parameter.shownType), "required": .bool(parameter.isRequired),
        "meaning": .string(parameter.meaning),
      ]
      object["default"] = parameter.initial.map { .string($0) }
      return .object(object)
    }
    return [
      "kind": isOperator ? "operator" : "source", "name": .string(name), "summary": .string(summary),
      "forms": .array(forms.map { .string($0) }), "parameters": .array(parameters),
    ]
  }
}
