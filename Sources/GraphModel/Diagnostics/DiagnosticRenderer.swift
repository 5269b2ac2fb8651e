package import JSON

/// Renders diagnostics as text for terminals and as JSON for tools.
package enum DiagnosticRenderer {
  /// Each diagnostic with its source line, a caret and its related place; no blank lines between diagnostics.
  package static func text(_ diagnostics: Diagnostics) -> String {
    diagnostics.list.map(text).joined()
  }

  package static func text(_ diagnostic: Diagnostic) -> String {
    lines(diagnostic).map { $0.plain + "\n" }.joined()
  }

  package static func lines(_ diagnostics: Diagnostics) -> [MarkedText] { diagnostics.list.flatMap(lines) }

  private static func lines(_ diagnostic: Diagnostic) -> [MarkedText] {
    let mark: MarkedText.Mark = diagnostic.severity == .error ? .error : .warning
    var lines = [
      MarkedText("\(diagnostic.place): ", .title) + MarkedText("\(diagnostic.severity.rawValue):", mark)
        + MarkedText(" \(diagnostic.text)")
    ]
    lines += excerpt(at: diagnostic.place, length: diagnostic.length, mark)
    if let fixIt = diagnostic.fixIt, diagnostic.suggestion == nil {
      lines.append(MarkedText("  fix-it: replace \(fixIt.original) with \(fixIt.replacement)", .aside))
    }
    if let example = diagnostic.example { lines.append(MarkedText("  for example: \(example)", .aside)) }
    if let related = diagnostic.related { lines += note(related.text, at: related.place, length: related.length) }
    for origin in diagnostic.place.origin?.chain ?? [] {
      lines += note(origin.text, at: origin.place.place, length: origin.place.length)
    }
    return lines
  }

  private static func note(_ text: String, at place: Place, length: Int) -> [MarkedText] {
    [MarkedText("\(place): ", .title) + MarkedText("note:", .aside) + MarkedText(" \(text)")]
      + excerpt(at: place, length: length, .aside)
  }

  /// An array of objects: `severity`, `file`, `line`, `column`, `length`, `message`, and optionally `suggestion`,
  /// `example`, `related`, `fix` and `origin`.
  ///
  /// A `fix` has the place and the length of the text that its `replacement`
  /// replaces.
  package static func json(_ diagnostics: Diagnostics) -> JSONValue {
    .array(diagnostics.list.map(json))
  }

  package static func json(_ diagnostic: Diagnostic) -> JSONValue {
    var object = JSONObject()
    object["severity"] = .string(diagnostic.severity.rawValue)
    add(diagnostic.place, to: &object)
    object["length"] = .number(Double(diagnostic.length))
    object["message"] = .string(diagnostic.message)
    object["suggestion"] = diagnostic.suggestion.map { .string($0) }
    object["example"] = diagnostic.example.map { .string($0) }
    object["related"] = diagnostic.related.map { note($0.text, at: $0.place) }
    object["fix"] = diagnostic.fixIt.map(fix)
    object["origin"] = diagnostic.place.origin.map { origin in
      .array(origin.chain.map { note($0.text, at: $0.place.place) })
    }
    return .object(object)
  }

  private static func fix(_ fixIt: FixIt) -> JSONValue {
    var object = JSONObject()
    add(fixIt.place, to: &object)
    object["length"] = .number(Double(fixIt.original.unicodeScalars.count))
    object["replacement"] = .string(fixIt.replacement)
    return .object(object)
  }

  private static func note(_ text: String, at place: Place) -> JSONValue {
    var object = JSONObject()
    add(place, to: &object)
    object["message"] = .string(text)
    return .object(object)
  }

  private static func add(_ place: Place, to object: inout JSONObject) {
    object["file"] = .string(place.file)
    object["line"] = .number(Double(place.line))
    object["column"] = .number(Double(place.column))
  }

  /// Returns the source line and a caret line below it; empty for an empty file.
  private static func excerpt(at place: Place, length: Int, _ mark: MarkedText.Mark) -> [MarkedText] {
    guard !place.source.text.isEmpty, let line = place.source.line(place.line) else { return [] }
    let lines = SourceExcerpt(line: line, column: place.column, length: length).lines
    return [MarkedText(lines[0]), MarkedText(lines[1], mark)]
  }
}
