package import JSON

/// The explanation of an operator or a source for a person at a terminal, from its declaration.
package struct WordExplanation: Sendable {
  /// Whether it stands in a pipe, or at the head of a signal.
  package let isOperator: Bool
  package let name: String
  package let summary: String
  /// The ways to write it.
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

  /// Its summary, the ways to write it, its parameters, and its diagram where it has one.
  package var text: String {
    var paragraphs = ["\(name) (\(isOperator ? "an operator" : "a source")): \(summary)", Self.indented(forms)]
    if !parameters.isEmpty { paragraphs.append(Self.indented(Self.aligned(parameters.map(Self.row)))) }
    if let example { paragraphs.append("Example:\n\n" + Self.indented(example.lines)) }
    return paragraphs.joined(separator: "\n\n") + "\n"
  }

  /// Each of its parameters and what it means, with its type and default.
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
    let widths = (0..<3).map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
      let cells = zip(row, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }
      return String(cells.joined(separator: "  ").reversed().drop { $0 == " " }.reversed())
    }
  }

  private static func indented(_ lines: [String]) -> String {
    lines.map { $0.isEmpty ? "" : "  " + $0 }.joined(separator: "\n")
  }

  /// The same for programs.
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
