package import JSON

/// Diagnostics as a person at a terminal reads them, and as tools do.
package enum DiagnosticRenderer {
  /// Each with its line, a caret and its related place, separated by nothing but their own lines.
  package static func text(_ diagnostics: Diagnostics) -> String {
    diagnostics.list.map(text).joined()
  }

  package static func text(_ diagnostic: Diagnostic) -> String {
    lines(diagnostic).map { $0.plain + "\n" }.joined()
  }

  /// The lines of all of them.
  package static func lines(_ diagnostics: Diagnostics) -> [MarkedText] { diagnostics.list.flatMap(lines) }

  private static func lines(_ diagnostic: Diagnostic) -> [MarkedText] {
    let mark: MarkedText.Mark = diagnostic.severity == .error ? .error : .warning
    var lines = [
      MarkedText("\(diagnostic.place): ", .title) + MarkedText("\(diagnostic.severity.rawValue):", mark)
        + MarkedText(" \(diagnostic.text)")
    ]
    lines += excerpt(at: diagnostic.place, length: diagnostic.length, mark)
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

  /// `[{"severity":…,"file":…,"line":…,"column":…,"length":…,"message":…,"suggestion"?,"example"?,"related"?,"origin"?}]`.
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
    object["origin"] = diagnostic.place.origin.map { origin in
      .array(origin.chain.map { note($0.text, at: $0.place.place) })
    }
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

  /// The source line with a caret line below; none of an empty file.
  private static func excerpt(at place: Place, length: Int, _ mark: MarkedText.Mark) -> [MarkedText] {
    guard !place.source.text.isEmpty, let line = place.source.line(place.line) else { return [] }
    let lines = SourceExcerpt(line: line, column: place.column, length: length).lines
    return [MarkedText(lines[0]), MarkedText(lines[1], mark)]
  }
}
