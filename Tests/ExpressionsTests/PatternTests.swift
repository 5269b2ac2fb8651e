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

/// Moments that jq refuses, or parses without their offset or their fraction.
private let moments = [
  Case("fromdate", "\"1970-01-01T02:00:01+02:00\"", "1"),
  Case("fromdateiso8601", "\"1969-12-31T22:30:01-01:30\"", "1"),
  Case("fromdate", "\"2026-05-01T12:00:00-00:00\"", "1777636800"),
  Case("fromdate", "\"2026-05-01T12:00:00.5Z\"", "1777636800.5"),
  Case("fromdate", "\"2026-05-01T12:00:00.000001234Z\"", "1777636800.000001"),
  Case("fromdate", "\"2026-05-01t12:00:00z\"", "1777636800"),
  Case("fromdate", "\"2026-05-01 14:00:00.25+02:00\"", "1777636800.25"),
  Case("fromdate", "\"2016-12-31T18:59:60-05:00\"", "1483228800"),
  Case("fromdate", "\"1969-12-31T23:59:59.75Z\"", "-0.25"),
  Case("strptime(\"%d/%b/%Y:%H:%M:%S %z\") | mktime", "\"17/May/2015:12:05:03 +0200\"", "1431857103"),
  Case("strptime(\"%Y-%m-%dT%H:%M:%S%z\") | mktime", "\"2015-12-31T23:00:00-01:30\"", "1451608200"),
  Case("strptime(\"%Y-%m-%dT%H:%M:%S%z\")", "\"2016-01-01T00:30:00+01:00\"", "[2015,11,31,23,30,0,4,364]"),
  Case("strptime(\"%F %T.%f %z\")", "\"2016-01-01 00:30:00.125 +0100\"", "[2015,11,31,23,30,0.125,4,364]"),
  Case("strptime(\"%a, %d %b %Y %T %Z\") | mktime", "\"Tue, 15 Nov 1994 08:12:31 EST\"", "784905151"),
  Case("strptime(\"%a, %d %b %Y %T %Z\") | mktime", "\"Tue, 15 Nov 1994 08:12:31 +0130\"", "784881751"),
  Case("strptime(\"%a, %d %b %Y %T %z (%Z)\") | mktime", "\"Tue, 15 Nov 1994 09:12:31 +0100 (CET)\"", "784887151"),
]

@Test(arguments: moments) func `a moment is read with its offset and its fraction`(example: Case) throws {
  #expect(try run(example.expression, example.input) == example.outputs)
}

/// The statements of docs/expressions.md about jq: a release that accepts them makes that page outdated.
@Test(.enabled(if: !Reference.installed.isEmpty, "no jq is installed"), arguments: Reference.installed)
func `jq reads these moments otherwise`(reference: Reference) throws {
  let pairs = moments.map { ($0.expression, $0.input) }
  for (pair, other) in zip(pairs, try reference.run(pairs)) {
    #expect(try !Reference.Result(pair.0, pair.1).agrees(with: other), "\(pair.1) | \(pair.0)")
  }
}

@Test(arguments: [
  Case(
    "strptime(\"%T %Z\")", "\"12:00:00 CEST\"",
    "error: the time zone \"CEST\" has no certain offset; %Z reads UTC, GMT, Z, the zones of RFC 5322 and offsets"),
  Case("strptime(\"%T %Z\")", "\"12:00:00 \"", "error: date \"12:00:00 \" does not match format \"%T %Z\""),
  Case("strptime(\"%T.%f\")", "\"12:00:00.\"", "error: date \"12:00:00.\" does not match format \"%T.%f\""),
  Case("strptime(\"%f%f\")", "\"12\"", "error: strptime/1: %f may stand once in a format"),
  Case(
    "fromdate", "\"2026-02-30T12:00:00+01:00\"",
    "error: date \"2026-02-30T12:00:00+01:00\" does not match format \"%Y-%m-%dT%H:%M:%SZ\""),
  Case("strptime(\"%H:%M%%Z\")", "\"12:30%Z\"", "[1900,0,0,12,30,0,8,367]"),
  Case("strptime(\"%H:%M %Z\")", "\"12:30 utc\"", "[1900,0,0,12,30,0,8,367]"),
  Case("strptime(\"%s\") | mktime", "\"1425599507\"", "1425599507"),
])
func `a moment without a certain offset is refused`(example: Case) throws {
  #expect(try run(example.expression, example.input) == example.outputs)
}

@Test func `a long format costs what its length does`() throws {
  let time = try ProcessorTime.of {
    _ = try run("(\"%Y\" * 100000) as $f | try (\"2015\" * 100000 | strptime($f)) catch 0")
    _ = try run("(\"%f\" * 100000) as $f | try (\"2015\" * 100000 | strptime($f)) catch 0")
  }
  #expect(time < .seconds(2))
}
