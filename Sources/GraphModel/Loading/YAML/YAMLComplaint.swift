import Base
import CYAML

/// An error of libyaml about text that is not YAML.
struct YAMLComplaint {
  /// The context, such as "while parsing a block mapping"; empty if there is none.
  let context: String
  let problem: String
  /// The start of the context.
  let contextPlace: Place
  let place: Place

  init(_ parser: yaml_parser_t, in source: SourceFile) {
    context = parser.context.map { String(cString: $0) } ?? ""
    problem = parser.problem.map { String(cString: $0) } ?? "invalid YAML"
    contextPlace = source.place(ofScalar: parser.context_mark.index)
    place =
      parser.error == YAML_READER_ERROR
      ? source.place(ofByte: parser.problem_offset) : source.place(ofScalar: parser.problem_mark.index)
  }

  /// The error with a helpful message, or libyaml's own if there is no better one.
  var error: SyntaxError {
    if let invisible = invisible(at: place) ?? invisible(at: contextPlace) { return invisible }
    if character == "\t" { return SyntaxError("a tab cannot indent YAML; use spaces", at: place) }
    return YAMLAdvice.all.first { $0.problem == problem && context.hasPrefix($0.context) }?.error(self)
      ?? SyntaxError(context.isEmpty ? problem : "\(problem) \(context)", at: place)
  }

  /// Returns the error for an invisible character in that line, which likely causes any other error there.
  private func invisible(at place: Place) -> SyntaxError? {
    let line = place.source.line(place.line).map(String.init) ?? ""
    guard let (offset, character) = InvisibleCharacter.first(in: line) else { return nil }
    return .invisible(character, at: Place(file: place.source, line: place.line, column: offset + 1))
  }

  /// The character at the error; `nil` at the end of a line.
  var character: Unicode.Scalar? { line.dropFirst(place.column - 1).first }

  /// The text before the error in its line.
  var textBefore: String { String(String.UnicodeScalarView(line.prefix(place.column - 1))) }

  private var line: Substring.UnicodeScalarView {
    (place.source.line(place.line) ?? "").unicodeScalars
  }
}
