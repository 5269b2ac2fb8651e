import Testing

@testable import Expressions

/// A syntax error from another language: the marked characters, and the advice.
struct SlipCase: CustomTestStringConvertible, Sendable {
  let source: String
  /// `^` under the characters of the error.
  let marks: String
  let message: String
  let suggestion: String?

  init(_ source: String, _ marks: String, _ message: String, meant suggestion: String? = nil) {
    self.source = source
    self.marks = marks
    self.message = message
    self.suggestion = suggestion
  }

  var testDescription: String { source }

  static let symbols = [
    SlipCase(".a === 1", "     ^", "unexpected '='; '==' compares"),
    SlipCase(".a && .b", "   ^", "unexpected character '&'; 'and' joins two conditions"),
    SlipCase(".a || .b", "    ^", "unexpected '|'; 'or' joins two conditions"),
    SlipCase("!.a", "^", "unexpected character '!'; 'not' follows what it negates: '.a | not'"),
    SlipCase(".a <> 1", "    ^", "unexpected '>'; '!=' asks whether two values differ"),
    SlipCase(".a =< 1", "    ^", "unexpected '<'; '<=' asks for at most"),
    SlipCase(".a => 1", "    ^", "unexpected '>'; '>=' asks for at least"),
    SlipCase(".a =~ \"x\"", "    ^", "unexpected character '~'; test(\"…\") matches a pattern"),
    SlipCase(".a == 'x'", "      ^", "unexpected character '''; strings take double quotes"),
    SlipCase("`x`", "^", "unexpected character '`'; strings take double quotes"),
    SlipCase(".a ** 2", "    ^", "unexpected '*'; pow(2; 3) raises to a power"),
    SlipCase(".a ^ 2", "   ^", "unexpected character '^'; pow(2; 3) raises to a power"),
    SlipCase(".a[*]", "   ^", "unexpected '*'; '.[]' gives all elements"),
    SlipCase(".a[?(@.b > 1)]", "   ^", "unexpected '?'; '.[] | select(…)' chooses elements"),
    SlipCase(".a ? 1 : 2", "     ^", "unexpected '1'; 'if … then … else … end' chooses"),
    SlipCase(".a ?? 1", "      ^", "unexpected '1'; '//' gives another value in the place of null"),
    SlipCase(".n++", "   ^", "unexpected '+'; '. + 1' is one more"),
    SlipCase(".a /* x */", "    ^", "unexpected '*'; a comment starts with '#'"),
    SlipCase("// x", "^^", "unexpected '//'; a comment starts with '#'"),
    SlipCase("test(\"\\d+\")", "      ^^", "unknown escape in a string; a backslash itself is written '\\\\'"),
    SlipCase(
      ".a; .b", "  ^",
      "unexpected ';'; ';' stands between the arguments of a function; ',' gives several outputs, '|' passes each on"),
    SlipCase("a: 1", " ^", "unexpected ':'; an object stands in braces: '{a: 1}'"),
    SlipCase(
      "{a = 1}", "   ^", "unexpected '='; ':' stands between key and value, ',' between entries, '}' at the end"),
    SlipCase("{.a}", " ^^", "unexpected '.a'; an object's key has no '.': '{a}'"),
    SlipCase(".größe", "   ^", "unexpected character 'ö'; a name of other letters than a to z is written '.\"…\"'"),
  ]

  static let words = [
    SlipCase("not .a + b", "         ^", "no function b; a member is '.b', a string is '\"b\"'"),
    SlipCase(".a not in [1]", "   ^^^", "unexpected 'not'; 'not' follows what it negates: '.a | not'"),
    SlipCase(".a is null", "   ^^", "unexpected 'is'; '==' compares"),
    SlipCase(".a in [1, 2]", "   ^^", "unexpected 'in'; IN(1, 2) asks whether a value is among others"),
    SlipCase(".a -gt 5", "       ^", "unexpected '5'; '==', '<' and '>' compare"),
    SlipCase(".a AND .b", "   ^^^", "unexpected 'AND'", meant: "and"),
    SlipCase(".t > 20C", "       ^", "unexpected 'C'; a number has no unit; times are in seconds"),
    SlipCase("let x = 1", "    ^", "unexpected 'x'; '1 as $x | …' names a value"),
    SlipCase("for x in .a", "    ^", "unexpected 'x'; '.[] | …' does something with each element"),
    SlipCase("if .a == 1 .b else .c end", "              ^^^^", "unexpected 'else'; 'then' must follow a condition"),
    SlipCase(".a == None", "      ^^^^", "no function None", meant: "null"),
    SlipCase("len(.a)", "^^^", "no function len", meant: "length"),
    SlipCase("upper", "^^^^^", "no function upper", meant: "ascii_upcase"),
    SlipCase("state", "^^^^^", "no function state", meant: "$state"),
    SlipCase("$foo", "^^^^", "$foo is not defined; there is $state, $signal"),
  ]

  static let calls = [
    SlipCase(".a.length()", "         ^", "unexpected '('; '.a | f' applies a function to a value"),
    SlipCase("length(.a)", "^^^^^^", "length takes no arguments, not 1; it works on its input: '.a | length'"),
    SlipCase("gsub(\"a\", \"b\")", "^^^^", "gsub takes 2 or 3 arguments, not 1; ';' stands between arguments"),
    SlipCase("select .a", "^^^^^^", "select takes 1 argument, not 0"),
    SlipCase(
      "def f(x; y): x; f(1, 2)", "                ^", "f takes 2 arguments, not 1; ';' stands between arguments"),
    SlipCase("foo", "^^^", "no function foo; a member is '.foo', a string is '\"foo\"'"),
    SlipCase(".a-b", "^^^^", "no function b; a member with '-' in its name is '.\"a-b\"'"),
    SlipCase(".x.a-b.c", "  ^^^^", "no function b; a member with '-' in its name is '.\"a-b\"'"),
    SlipCase("env.HOME", "^^^", "env is not supported: expressions cannot read the environment of the daemon"),
    SlipCase("halt", "^^^^", "halt is not supported: an expression cannot end the daemon"),
  ]
}

@Test(arguments: SlipCase.symbols + SlipCase.words + SlipCase.calls)
func `what another language would accept is refused with what to write instead`(slip: SlipCase) throws {
  let error = try #require(throws: ExpressionSyntaxError.self) {
    try Expression(slip.source, variables: ["state", "signal"])
  }
  let marks = String(repeating: " ", count: error.offset) + String(repeating: "^", count: error.length)
  #expect([marks, error.message] == [slip.marks, slip.message])
  #expect(error.suggestion == slip.suggestion)
}

@Test(arguments: [".a-1", ".a - length", "def b: 1; .a-b", ".a-.b", ".a -now", ".temp-max"])
func `a difference without spaces is one`(source: String) throws {
  _ = try Expression(source)
}

@Test func `if needs no else`() throws {
  #expect(try run("if . > 1 then 2 end", "1") == ["1"])
}
