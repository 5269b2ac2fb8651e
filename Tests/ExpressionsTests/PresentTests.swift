import Testing

@testable import Expressions

/// The changes and additions of jq 1.8, each with its release's behaviour, except for times before 1970.
private let cases: [Case] = [
  // Conversions
  Case("map(toboolean)", #"[true,"true",false,"false"]"#, "[true,true,false,false]"),
  Case("toboolean", "1", "error: number (1) cannot be parsed as a boolean"),
  Case("toboolean", #""TRUE""#, #"error: string ("TRUE") cannot be parsed as a boolean"#),
  Case("toboolean", #""true\u0000""#, #"error: string ("true\u0000") cannot be parsed as a boolean"#),
  Case("map(tonumber)", #"["1","-0.5","+5","5.",".5","1e3","01"]"#, "[1,-0.5,5,5,0.5,1000,1]"),
  Case("map(try tonumber catch 0)", #"[" 4","4 ","","1e","0x10","1_0",".","-","--1","NaN1"]"#, "[0,0,0,0,0,0,0,0,0,0]"),
  Case("tonumber", #"" 4""#, #"error: string (" 4") cannot be parsed as a number"#),
  Case("tonumber", #""87\n""#, "87"),
  Case("tonumber", #""87\n\n""#, #"error: string ("87\n\n") cannot be parsed as a number"#),
  Case("map(tonumber | isnan)", #"["nan","-NaN"]"#, "[true,true]"),
  Case(
    "map(tonumber | [., isinfinite] | tojson)", #"["Infinity","-inf"]"#,
    #"["[1.7976931348623157e+308,true]","[-1.7976931348623157e+308,true]"]"#),
  Case("fromjson", "1", "error: number (1) only strings can be parsed"),
  Case("have_literal_numbers, have_decnum", "null", "true", "false"),
  // Strings
  Case("map(trimstr(\"ab\"))", #"["abxab","ab","abab","a"]"#, #"["x","","","a"]"#),
  Case("trimstr(\"\"), rtrimstr(\"\"), ltrimstr(\"\")", "\"a\"", "\"a\"", "\"a\"", "\"a\""),
  Case("trimstr(\"a\")", "1", "error: startswith() requires string inputs"),
  Case("ltrimstr(1)", "\"a\"", "error: startswith() requires string inputs"),
  Case("rtrimstr(\"a\")", "1", "error: endswith() requires string inputs"),
  Case("trim", "1", "error: trim input must be a string"),
  Case("ltrim", "null", "error: trim input must be a string"),
  Case("[. * (0, 0.5, 1, 1.5, 2)]", "\"ab\"", #"["","","ab","ab","abab"]"#),
  Case("[. * (-1, -0.5), . * nan]", "\"ab\"", "[null,null,null]"),
  Case("0 * .", "\"ab\"", "\"\""),
  Case(". * 1e300", "\"\"", "\"\""),
  // Formats
  Case("@uri, (@uri | @urid)", "\"é %/+\"", "\"%C3%A9%20%25%2F%2B\"", "\"é %/+\""),
  Case("@urid", "\"a+b%20%6a%6A\"", "\"a+b jj\""),
  Case("@urid \"\\(.)!\"", "\"%41\"", "\"A!\""),
  Case(
    "map(try @urid catch .)", #"["%","%4","%zz","%C3"]"#,
    #"["string (\"%\") is not a valid uri encoding","string (\"%4\") is not a valid uri encoding","#
      + #""string (\"%zz\") is not a valid uri encoding","string (\"%C3\") is not a valid uri encoding"]"#),
  Case(
    "format(\"csv\", \"json\"), ([.] | format(\"sh\"))", "[1]", "\"1\"", "\"[1]\"",
    "error: array ([1]) can not be escaped for shell"),
  Case("format(\"urid\")", "\"%41\"", "\"A\""),
  Case("format(\"none\")", "1", "error: none is not a valid format"),
  Case("format(1)", "null", "error: number (1) is not a valid format"),
  Case("map(@base64d)", #"["","=","==","QUI=","QUI","QUJD=QUJD"]"#, #"["","","","AB","AB","ABC"]"#),
  Case("@base64d", "\"Q\"", "error: string (\"Q\") trailing base64 byte found"),
  Case("@base64d", "\"Q*==\"", "error: string (\"Q*==\") is not valid base64 data"),
  Case("[nan, null, 1] | @csv, @tsv", "null", "\",,1\"", #""\t\t1""#),
  Case("@tsv", "1", "error: number (1) cannot be tsv-formatted, only array"),
  // Selections
  Case("[limit(0, 1, 2; 7, 8, 9)]", "null", "[7,7,8]"),
  Case("[limit(1; 7, error(\"x\"))]", "null", "[7]"),
  Case("limit(-1; 1)", "null", "error: limit doesn't support negative count"),
  Case("limit(0; error(\"x\"))", "null", []),
  Case("[skip(0, 1, 3; 7, 8)]", "null", "[7,8,8]"),
  Case("skip(-1; 1)", "null", "error: skip doesn't support negative count"),
  Case("nth(-1; 1)", "null", "error: nth doesn't support negative indices"),
  Case("[first(empty), last(empty), nth(5; empty), last(1, 2)]", "null", "[2]"),
  Case("last(.[]) |= 9, (last(.[] | select(. > 5)) |= 9)", "[1,2]", "[1,9]", "[1,2]"),
  Case("skip(1; .[]) = 0", "[1,2,3]", "[1,0,0]"),
  Case("nth(1; .[]) = 0", "[1,2,3]", "[1,0,3]"),
  // The source of a binding is the whole expression before it, which binds tighter than a comma.
  Case("-1 as $x | [1, $x]", "null", "[1,-1]"),
  Case("1 + 2 as $x | -$x", "null", "-3"),
  Case("1 as $x | 2 as $y | [$x, -$y]", "null", "[1,-2]"),
  Case("1, 2 * 3 as $x | $x", "null", "1", "6"),
  Case(". == 1 as $is | [$is]", "1", "[true]"),
  Case("null // 2 as $x | $x + 1", "null", "3"),
  Case("reduce (1, 2) as $x (0; . + $x), (foreach -.[] as $x (0; . + $x))", "[3]", "3", "-3"),
  Case("[1, def f: 2; f, f]", "null", "[1,2,2]"),
  Case("[1, label $out | 2, break $out, 3]", "null", "[1,2]"),
  Case("{a: 1 + 2, b: false or true, c: null // 3, d: 1 | [.]}", "null", #"{"a":3,"b":true,"c":3,"d":[1]}"#),
  Case("-.a, -.a * 2, 1 - -.a, -(.a, 1)", #"{"a":2}"#, "-2", "-4", "3", "-2", "-1"),
  Case("try -. catch \"no\"", "\"a\"", "\"no\""),
  // Places
  Case("del(.[nan]), del(.[nan, 0]), del(.[nan, nan])", "[1,2]", "[1,2]", "[2]", "[1,2]"),
  Case("delpaths([[nan, \"a\"], [nan], [0]])", "[1,2]", "[2]"),
  Case(".[nan] = 1", "[1]", "error: Cannot set array element at NaN index"),
  Case("[.[1.9, -1.5, -0.5]]", "[1,2,3]", "[2,3,1]"),
  Case(".[-1.5] = 9, del(.[-1.5])", "[1,2,3]", "[1,2,9]", "[1,2]"),
  Case("bsearch(1)", "{}", "error: object ({}) cannot be searched from"),
  Case(".[\"a\":]", "[1]", "error: Array/string slice indices must be integers"),
  // Times, possibly incomplete or not normalised
  Case("mktime", "[2024,8,21]", "1726876800"),
  Case("[2024], [2024, 1], [] | mktime", "null", "1703980800", "1706659200", "-2209075200"),
  Case("mktime", "[2024,13,-5,25,61,61.5]", "1737943321"),
  Case("strftime(\"%Y-%m-%dT%H:%M:%SZ %j %a\")", "[2024,2,15]", "\"2024-03-15T00:00:00Z 075 Fri\""),
  Case("todate", "[2024,2,15,10]", "\"2024-03-15T10:00:00Z\""),
  Case("mktime", "[2024,\"a\"]", "error: mktime requires parsed datetime inputs"),
  Case("[nan] | mktime", "null", "error: mktime requires parsed datetime inputs"),
  Case("[1e300, 0, 1e300] | mktime", "null", "error: invalid gmtime representation"),
  Case("gmtime", "\"a\"", "error: gmtime() requires numeric inputs"),
  Case("gmtime, todate", "-0.5", "[1969,11,31,23,59,59.5,3,364]", "\"1969-12-31T23:59:59Z\""),
  // Messages
  Case(
    ".[\"abcdefghijklmnopqrstuvwxyzab\"]", "1",
    "error: Cannot index number with string (\"abcdefghijklmnopqrstuvwx...\")"),
  Case(".[{}]", "{}", "error: Cannot index object with object ({})"),
  Case("-.", "[1,2,3,4,5,6,7,8,9,10,11,12,13]", "error: array ([1,2,3,4,5,6,7,8,9,10,11,...]) cannot be negated"),
  Case("-.", "{\"a\":\"☆☆☆☆☆☆☆☆☆\"}", "error: object ({\"a\":\"☆☆☆☆☆☆...}) cannot be negated"),
  Case("-.", "\"aaaaaaaaaabbbbbbbbbbccccccc\"", "error: string (\"aaaaaaaaaabbbbbbbbbbccccccc\") cannot be negated"),
  Case(
    "-.", "\"aaaaaaaaaabbbbbbbbbbcccccccd\"",
    "error: string (\"aaaaaaaaaabbbbbbbbbbcccc...\") cannot be negated"),
  Case(
    "12345678901234567890123456789012 + \"a\"", "null",
    "error: number (12345678901234567890123456...) and string (\"a\") cannot be added"),
  // Correct only in 1.7 and 1.8
  Case("[.[] |= empty], [(.[] | select(. > 1)) |= empty]", "[1,2,3]", "[[]]", "[[1]]"),
  Case(
    "[match(\"\"; \"g\").offset], gsub(\"\"; \"-\"), gsub(\"^\"; \">\")", "\"ab\"", "[0,1,2]", "\"-a-b-\"", "\">ab\""),
  Case("[match(\"\"; \"g\").offset]", "\"éb\"", "[0,1,2]"),
  Case("index(\"b\"), [match(\"b\").offset]", "\"éb\"", "1", "[1]"),
  Case("implode", "[65,55296,-1,1114112]", "\"A\u{FFFD}\u{FFFD}\u{FFFD}\""),
  Case("try error(null) catch [.]", "1", "[null]"),
  Case("map(try abs catch .)", #"[-1,"a",null]"#, #"[1,"a","null (null) cannot be negated"]"#),
  Case("pick(.[1].a), pick(first(.[]))", #"[1,{"a":2,"b":3}]"#, #"[null,{"a":2}]"#, "[1]"),
]

@Test(arguments: cases)
func `an expression gives what the present jq gives`(example: Case) throws {
  #expect(try run(example.expression, example.input) == example.outputs)
}

@Test(arguments: [
  ("1 + def f: 2; f", "unexpected 'def'; within an operation 'def' stands in parentheses"),
  ("1 + label $out | 2", "unexpected 'label'; within an operation 'label' stands in parentheses"),
  ("{a: .b as $x | $x}", "unexpected 'as'; a value with 'as' stands in parentheses: '{a: (.b as $x | $x)}'"),
  (". as {(true): $x} | $x", "an object's key must be a string, not boolean"),
])
func `scopes within operations and values stand in parentheses, and keys are strings`(
  source: String, message: String
) {
  let error = #expect(throws: ExpressionSyntaxError.self) { try Expression(source) }
  #expect(error?.message == message)
}
