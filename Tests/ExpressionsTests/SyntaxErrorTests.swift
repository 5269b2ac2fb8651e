import Testing

@testable import Expressions

/// An invalid source: the message, the characters it is about, and the suggestion.
struct BadSource: CustomTestStringConvertible, Sendable {
  let source: String
  let offset: Int
  let length: Int
  let message: String
  let suggestion: String?

  init(_ source: String, _ offset: Int, _ length: Int, _ message: String, meant suggestion: String? = nil) {
    self.source = source
    self.offset = offset
    self.length = length
    self.message = message
    self.suggestion = suggestion
  }

  var testDescription: String { source }
}

private let badSources = [
  BadSource("", 0, 0, "missing expression; '.' passes each value on"),
  BadSource(".a | ", 5, 0, "the expression ends here; missing value"),
  BadSource(".a + * 2", 5, 1, "unexpected '*'; missing value"),
  BadSource(".a b", 3, 1, "unexpected 'b'"),
  BadSource("(.a", 3, 0, "the expression ends here; ')' must follow what '(' opened"),
  BadSource("[1, 2", 5, 0, "the expression ends here; ']' must follow the items of an array"),
  BadSource(
    "{a: 1, 2: 3}", 7, 1, "unexpected '2'; an object's key is a name, a string, or an expression in parentheses"),
  BadSource("{a 1}", 3, 1, "unexpected '1'; ':' stands between key and value, ',' between entries, '}' at the end"),
  BadSource("if . then 1", 11, 0, "the expression ends here; 'elif', 'else' or 'end' must follow a branch of 'if'"),
  BadSource("\"abc", 0, 1, "unterminated string"),
  BadSource(#""a\qb""#, 2, 2, "unknown escape in a string; a backslash itself is written '\\\\'"),
  BadSource(#""\u12""#, 1, 5, "four hexadecimal digits must follow '\\u'"),
  BadSource(#""é\(1 + )""#, 8, 1, "unexpected ')'; missing value"),
  BadSource("é", 0, 1, "unexpected character 'é'; a name of other letters than a to z is written '.\"…\"'"),
  BadSource("\"é\" | lenght", 6, 6, "no function lenght", meant: "length"),
  BadSource("map(.a; .b)", 0, 3, "map takes 1 argument, not 2"),
  BadSource(".a | $stat", 5, 5, "$stat is not defined", meant: "$state"),
  BadSource("def double: . * 2; duoble", 19, 6, "no function duoble", meant: "double"),
  BadSource("@base65", 0, 7, "no format @base65", meant: "@base64"),
  BadSource("break $x", 0, 8, "no label $x around this 'break'"),
  BadSource("1 == 1 == 1", 7, 2, "'==' and '==' cannot follow each other without parentheses"),
  BadSource(".a = 1 |= 2", 7, 2, "'=' and '|=' cannot follow each other without parentheses"),
  BadSource(". as [$a", 8, 0, "the expression ends here; ']' must follow a pattern"),
  BadSource(". as 1 | 2", 5, 1, "unexpected '1'; a pattern is '$name', '[…]' or '{…}'"),
  BadSource("reduce .[] as $x (0)", 19, 1, "unexpected ')'; ';' must follow the initial value of 'reduce'"),
  BadSource(".[", 2, 0, "the expression ends here; missing value"),
  BadSource("{(1): 2}", 2, 1, "an object's key must be a string, not number"),
  BadSource("input", 0, 5, "input is not supported: values come from the graph, one at a time"),
  BadSource("1 | debug", 4, 5, "debug is not supported: an expression has no output other than its values"),
  BadSource(
    "$ENV.HOME", 0, 4, "$ENV is not supported: expressions cannot read the environment of the daemon"),
  BadSource("$__loc__", 0, 8, "$__loc__ is not supported: errors have their place"),
  BadSource("import \"a\" as a; .", 0, 6, "modules are not supported: an expression is self-contained"),
]

@Test(arguments: badSources)
func `a source that is no expression is refused with its place`(bad: BadSource) throws {
  let error = try #require(throws: ExpressionSyntaxError.self) { try Expression(bad.source, variables: ["state"]) }
  #expect(error.message == bad.message)
  #expect([error.offset, error.length] == [bad.offset, bad.length])
  #expect(error.suggestion == bad.suggestion)
}

@Test(arguments: [
  "(", "[", "-", "{a:", "if . then ", "\"\\(", "1+", ".|", "def f: ", "try ", "[.[", ". as [[", ". as {a: {a:",
])
func `a source that is nested too deeply is refused`(opening: String) throws {
  let source = String(repeating: opening, count: 100_000)
  #expect(throws: ExpressionSyntaxError.self) { try Expression(source) }
}

@Test(arguments: [".a", "?", "[0]", "+1", "|.", " as $x|.", "//1"])
func `a source that makes a deep tree without brackets is refused`(link: String) throws {
  let source = "." + String(repeating: link, count: 100_000)
  #expect(throws: ExpressionSyntaxError.self) { try Expression(source) }
}

@Test func `no prefix of a source crashes the parser`() {
  let source =
    #"def f($a; g): reduce .[] as [$x, {y: $z}] (0; . + "\(g)é") | if .a? // 1 then @sh "x" else .[1:] end; f(1; 2)"#
  for end in source.indices { _ = try? Expression(String(source[..<end])) }
}
