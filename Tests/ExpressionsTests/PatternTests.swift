import JSON
import TestSupport
import Testing

@testable import Expressions

@Test(
  "patterns match as in jq",
  arguments: [
    Case("test(\"B\"), test(\"B\"; \"i\"), test([\"B\", \"i\"])", "\"abc\"", "false", "true", "true"),
    Case("[match(\"b\"; \"g\").offset]", "\"aébb\"", "[2,3]"),
    Case("[match(\"\"; \"g\").offset]", "\"éb\"", "[0,1,2]"),
    Case(
      "match(\"(b)(x)?\").captures", "\"ab\"",
      #"[{"offset":1,"length":1,"string":"b","name":null},{"offset":-1,"length":0,"string":null,"name":null}]"#),
    Case("[match(\"(?<n>\\\\d+)\"; \"g\") | .captures[0] | .name, .string]", "\"a1b22\"", #"["n","1","n","22"]"#),
    Case("[scan(\"[a-c]\")], [scan(\"(a)(.)\")]", "\"abcad\"", #"["a","b","c","a"]"#, #"[["a","b"],["a","d"]]"#),
    Case("[splits(\", *\")], split(\"a\"; null)", "\"1, a,2\"", #"["1","a","2"]"#, #"["1, ",",2"]"#),
    Case(
      "sub(\"(?<x>[a-z])\"; \"[\\(.x)]\"), gsub(\"[a-z]\"; \"-\"), gsub(\"^\"; \">\")", "\"ab\"", "\"[a]b\"", "\"--\"",
      "\">ab\""),
    Case("capture(\"(?<y>\\\\d+)-(?<m>\\\\d+)\")", "\"2024-05\"", #"{"y":"2024","m":"05"}"#),
    Case("capture([\"(?<x>B)\", \"i\"])", "\"ab\"", #"{"x":"b"}"#),
    Case("[capture(\"(?<x>a)|(?<y>b)\"; \"g\")]", "\"ab\"", #"[{"x":"a","y":null},{"x":null,"y":"b"}]"#),
    Case("[gsub(\"a\"; \"b\", \"c\")]", "\"aa\"", #"["bb","cc"]"#),
    Case("test(\"\"), [match(\"x\")]", "\"\"", "true", "[]"),
    Case("test(\"(\")", "\"a\"", "error: Regex failure: end pattern with unmatched parenthesis"),
    Case("test(\"a\"; \"q\")", "\"a\"", "error: q is not a valid modifier string"),
    Case("test(\"a\")", "1", "error: number (1) cannot be matched, as it is not a string"),
    Case("test(1)", "\"a\"", "error: number not a string or array"),
  ])
func patterns(example: Case) throws {
  #expect(try run(example.expression, example.input) == example.outputs)
}

@Test(arguments: [
  "(\"a\" * 40 + \"b\") | test(\"^(a+)+$\")",
  "(\"a\" * 40 + \"cb\") | test(\"^(a|a)*b\")",
  "(\"x\" * 1000000 + \"c\" + \"a\" * 40000 + \"cb\") | test(\"a*d|a*bb\")",
  "(\"a\" * 4000 + \"cb\") as $s | last(range(1e6) | $s | test(\"a*bb\"))",
  "(\"x\" * 500000) | [match(\"\"; \"g\")] | length",
  "(\"a\" * 18 + \"b\") as $s | last(range(1e6) | $s | test(\"^(a+)+$\"))",
])
func `a catastrophic pattern is an error soon`(source: String) throws {
  var message = ""
  let time = try ProcessorTime.of { message = try run(source).last ?? "" }
  #expect(message.hasPrefix("error: the "))
  #expect(time < .seconds(10))
}

@Test func `more patterns than are kept at once all work`() throws {
  #expect(try run("[range(200) | tostring as $n | select(($n | test(\"^\" + $n + \"$\")) | not)]") == ["[]"])
}

@Test(
  "dates are those of jq",
  arguments: [
    Case("gmtime, todate", "1425599507.25", "[2015,2,5,23,51,47.25,4,63]", "\"2015-03-05T23:51:47Z\""),
    Case("gmtime | mktime", "-1", "-1"),
    Case("fromdate", "\"2015-03-05T23:51:47Z\"", "1425599507"),
    Case("strftime(\"%A, %B %d, %Y\")", "1425599507", "\"Thursday, March 05, 2015\""),
    Case("strptime(\"%Y-%m-%d\")", "\"2015-03-05 23:51\"", #"[2015,2,5,0,0,0,4,63," 23:51"]"#),
    Case("strptime(\"%H:%M\")", "\"12:30\"", "[1900,0,0,12,30,0,8,367]"),
    Case("strptime(\"%Y\")", "\"2015-03\"", "error: date \"2015-03\" does not match format \"%Y\""),
    Case("mktime", "\"a\"", "error: mktime requires array inputs"),
    Case("mktime", "[\"a\",1,1,1,1,1]", "error: mktime requires parsed datetime inputs"),
    Case("strptime(\"%Y\")", "\"x\"", "error: date \"x\" does not match format \"%Y\""),
    Case("[infinite, nan, 1e30, -1e30 | try gmtime catch \"no\"] | unique", "null", "[\"no\"]"),
    Case("strftime(\"%9999d\")", "0", "error: strftime/1: unknown system failure"),
  ])
func dates(example: Case) throws {
  #expect(try run(example.expression, example.input) == example.outputs)
}
