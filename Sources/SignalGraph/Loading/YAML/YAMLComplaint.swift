import CYAML

/// A complaint of libyaml about a text that is not YAML.
struct YAMLComplaint {
  /// Its context, such as "while parsing a block mapping"; empty if there is none.
  let context: String
  let problem: String
  /// The place where its context began.
  let contextPlace: Place
  let place: Place

  init(_ parser: yaml_parser_t, in source: SourceFile) {
    context = parser.context.map { String(cString: $0) } ?? ""
    problem = parser.problem.map { String(cString: $0) } ?? "this is not YAML"
    contextPlace = source.place(ofScalar: parser.context_mark.index)
    place =
      parser.error == YAML_READER_ERROR
      ? source.place(ofByte: parser.problem_offset) : source.place(ofScalar: parser.problem_mark.index)
  }

  /// The same in words that help; in libyaml's own where there are no better ones.
  var error: SyntaxError {
    if character == "\t" { return SyntaxError("a tab cannot indent YAML; use spaces", at: place) }
    return YAMLAdvice.all.first { $0.problem == problem && context.hasPrefix($0.context) }?.error(self)
      ?? SyntaxError(context.isEmpty ? problem : "\(problem) \(context)", at: place)
  }

  /// The character at the place; `nil` at the end of a line.
  var character: Unicode.Scalar? { line.dropFirst(place.column - 1).first }

  /// The text before the place in its line.
  var textBefore: String { String(String.UnicodeScalarView(line.prefix(place.column - 1))) }

  private var line: Substring.UnicodeScalarView {
    (place.source.line(place.line) ?? "").unicodeScalars
  }
}
