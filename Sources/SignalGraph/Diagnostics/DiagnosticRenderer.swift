package import JSON

/// Diagnostics as a person at a terminal reads them, and as tools do.
package enum DiagnosticRenderer {
  /// Each with its line, a caret and its related place, separated by nothing but their own lines.
  package static func text(_ diagnostics: Diagnostics) -> String {
    diagnostics.list.map(text).joined()
  }

  package static func text(_ diagnostic: Diagnostic) -> String {
    var lines = ["\(diagnostic.place): \(diagnostic.severity.rawValue): \(diagnostic.text)"]
    lines += excerpt(at: diagnostic.place, length: diagnostic.length)
    if let example = diagnostic.example { lines.append("  for example: \(example)") }
    if let related = diagnostic.related {
      lines.append("\(related.place): note: \(related.text)")
      lines += excerpt(at: related.place, length: related.length)
    }
    return lines.map { $0 + "\n" }.joined()
  }

  /// `[{"severity":…,"file":…,"line":…,"column":…,"length":…,"message":…,"suggestion"?,"example"?,"related"?}]`.
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
    object["related"] = diagnostic.related.map { related in
      var object = JSONObject()
      add(related.place, to: &object)
      object["message"] = .string(related.text)
      return .object(object)
    }
    return .object(object)
  }

  private static func add(_ place: Place, to object: inout JSONObject) {
    object["file"] = .string(place.file)
    object["line"] = .number(Double(place.line))
    object["column"] = .number(Double(place.column))
  }

  /// The source line with a caret line below; none of an empty file.
  private static func excerpt(at place: Place, length: Int) -> [String] {
    guard !place.source.text.isEmpty, let line = place.source.line(place.line) else { return [] }
    return SourceExcerpt(line: line, column: place.column, length: length).lines
  }
}
