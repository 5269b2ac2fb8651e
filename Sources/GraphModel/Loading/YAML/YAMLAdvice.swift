/// The most likely cause of a libyaml error, and advice on the correct form.
///
/// Most errors are unquoted expressions with characters that have a meaning in YAML.
struct YAMLAdvice: Sendable {
  let problem: String
  /// The prefix of the error's context; empty for any context.
  let context: String
  let error: @Sendable (YAMLComplaint) -> SyntaxError

  private init(_ problem: String, _ context: String = "", error: @escaping @Sendable (YAMLComplaint) -> SyntaxError) {
    self.problem = problem
    self.context = context
    self.error = error
  }

  private init(_ problem: String, _ context: String = "", says message: String) {
    self.init(problem, context) { SyntaxError(message, at: $0.place) }
  }

  static let all: [YAMLAdvice] = [
    YAMLAdvice("mapping values are not allowed in this context", error: misplacedColon),
    YAMLAdvice("did not find expected key", error: notInLine),
    YAMLAdvice("did not find expected '-' indicator", error: notInLine),
    YAMLAdvice("did not find expected ',' or ']'") { unclosed($0, "]") },
    YAMLAdvice("did not find expected ',' or '}'") { unclosed($0, "}") },
    YAMLAdvice("did not find expected node content", error: missingValue),
    YAMLAdvice("did not find expected comment or line break", "while scanning a block scalar") {
      SyntaxError("\"|\" or \">\" begins a block of text here; put the whole value in quotes", at: $0.contextPlace)
    },
    YAMLAdvice("found character that cannot start any token") { complaint in
      let character = complaint.character.map(String.init) ?? ""
      return SyntaxError("\"\(character)\" cannot begin a plain value; put the value in quotes", at: complaint.place)
    },
    YAMLAdvice("found unexpected end of stream", "while scanning a quoted scalar") {
      SyntaxError("unterminated quoted string", at: $0.contextPlace)
    },
    YAMLAdvice("could not find expected ':'") {
      SyntaxError("missing \":\" after the key", at: $0.contextPlace)
    },
    YAMLAdvice("did not find expected alphabetic or numeric character", "while scanning an alias") {
      SyntaxError("text that begins with \"*\" needs quotes", at: $0.contextPlace)
    },
    YAMLAdvice("did not find expected alphabetic or numeric character", "while scanning an anchor") {
      SyntaxError("text that begins with \"&\" needs quotes", at: $0.contextPlace)
    },
    YAMLAdvice(
      "block sequence entries are not allowed in this context",
      says: "a list cannot begin in this line; begin it in a line of its own, or put the value in quotes"),
    YAMLAdvice(
      "found unknown escape character",
      says: "invalid escape in double quotes; in single quotes a \"\\\" is literal"),
    YAMLAdvice(
      "found invalid Unicode character escape code",
      says: "invalid Unicode character; beyond U+FFFF write \\U and eight digits"),
    YAMLAdvice("control characters are not allowed", says: "control characters are not allowed in YAML; use an escape"),
    YAMLAdvice("did not find expected <document start>", says: "unexpected text after the end of the document"),
    YAMLAdvice("found incompatible YAML document", says: "only YAML 1.1 and 1.2 can be read"),
  ]
}

extension YAMLAdvice {
  @Sendable private static func misplacedColon(_ complaint: YAMLComplaint) -> SyntaxError {
    if complaint.textBefore.contains(": ") {
      return SyntaxError(
        "\": \" would begin a mapping inside this value; put the whole value in quotes", at: complaint.place)
    }
    return SyntaxError(
      "unexpected key; check its indentation and the line before it", at: complaint.place)
  }

  @Sendable private static func notInLine(_ complaint: YAMLComplaint) -> SyntaxError {
    let before = complaint.textBefore.last { $0 != " " }
    if before == "\"" || before == "'" {
      return SyntaxError("unexpected text after the closing quote; put the whole value in quotes", at: complaint.place)
    }
    if complaint.textBefore.contains(":{") || complaint.textBefore.contains(":[") {
      return SyntaxError(
        "missing space between the \":\" of a key and \(complaint.textBefore.contains(":{") ? "\"{\"" : "\"[\"")",
        at: complaint.place)
    }
    let (kind, item) =
      complaint.problem == "did not find expected key"
      ? ("mapping", "a key") : ("list", "an item that begins with \"- \"")
    return SyntaxError(
      "expected \(item) here; is the indentation right?", at: complaint.place,
      related: .init("the \(kind) begins here", at: complaint.contextPlace))
  }

  @Sendable private static func unclosed(_ complaint: YAMLComplaint, _ bracket: String) -> SyntaxError {
    let kind = bracket == "]" ? "list" : "mapping"
    let hint = complaint.textBefore.hasSuffix("$") ? "; inside brackets a value with \"${…}\" needs quotes" : ""
    return SyntaxError(
      "expected \",\" or \"\(bracket)\"\(hint)", at: complaint.place,
      related: .init("the \(kind) begins here", at: complaint.contextPlace))
  }

  @Sendable private static func missingValue(_ complaint: YAMLComplaint) -> SyntaxError {
    guard let character = complaint.character else {
      return SyntaxError("missing value", at: complaint.place)
    }
    return SyntaxError("missing value before \"\(character)\"", at: complaint.place)
  }
}
