import CYAML

/// What libyaml says of a text that is not YAML, put into words that help.
struct YAMLComplaint {
  let context: String
  let problem: String
  let contextPlace: Place
  let place: Place

  init(_ parser: yaml_parser_t, in source: SourceFile) {
    context = parser.context.map { String(cString: $0) } ?? ""
    problem = parser.problem.map { String(cString: $0) } ?? "not YAML"
    contextPlace = source.place(ofScalar: parser.context_mark.index)
    place =
      parser.error == YAML_READER_ERROR
      ? source.place(ofByte: parser.problem_offset) : source.place(ofScalar: parser.problem_mark.index)
  }

  var error: SyntaxError { SyntaxError(problem, at: place) }
}
