import JSON
import Testing

@testable import Expressions

/// The outputs of the reference program.
private let cases: [Case] = [
  // Paths
  Case(".", "1", "1"),
  Case(".a", #"{"a":1}"#, "1"),
  Case(".a", "null", "null"),
  Case(".\"a b\"", #"{"a b":1}"#, "1"),
  Case(".a.b?", #"{"a":1}"#),
  Case(".a[0].b", #"{"a":[{"b":2}]}"#, "2"),
  Case(".[-1]", "[1,2]", "2"),
  Case(".[5]", "[1,2]", "null"),
  Case(".[\"a\",\"b\"]", #"{"a":1}"#, "1", "null"),
  Case(".[1:]", "[1,2,3]", "[2,3]"),
  Case(".[:-1]", "\"añb\"", "\"añ\""),
  Case(".[0,1:2,3]", "[1,2,3]", "[1,2]", "[1,2,3]", "[2]", "[2,3]"),
  Case(".[1.2:2.5]", "[1,2,3]", "[2,3]"),
  Case(".[[2]]", "[1,2,1,2]", "[1,3]"),
  Case(".[]", #"{"a":1,"b":2}"#, "1", "2"),
  Case(".[]?", "5"),
  Case("..", "[1,[2]]", "[1,[2]]", "1", "[2]", "2"),
  Case(".a?//\"x\"", "5", "\"x\""),
  Case(".a", "1", "error: Cannot index number with string (\"a\")"),
  Case(".[0]", "{}", "error: Cannot index object with number (0)"),
  Case(".[]", "3", "error: Cannot iterate over number (3)"),
  // Operators
  Case("1 + 2 * 3 - 4 / 2", "null", "5"),
  Case("-(1 + 2)", "null", "-3"),
  Case("-1 * 2", "null", "-2"),
  Case("[(1, 2) + (10, 20)]", "null", "[11,12,21,22]"),
  Case("null + 1, 1 + null", "null", "1", "1"),
  Case(". + {b: 2}", #"{"a":1,"b":1}"#, #"{"a":1,"b":2}"#),
  Case(". * {a: {c: 2}}", #"{"a":{"b":1}}"#, #"{"a":{"b":1,"c":2}}"#),
  Case("\"ab\" * 3, \"ab\" * 0", "null", "\"ababab\"", "\"\""),
  Case("\"a,b\" / \",\"", "null", #"["a","b"]"#),
  Case(". - [2, 3]", "[1,2,3,2]", "[1]"),
  Case("5 % 3, -5 % 3, 5 % -3", "null", "2", "-2", "2"),
  Case("1 / 0", "null", "error: number (1) and number (0) cannot be divided because the divisor is zero"),
  Case("{} - 1", "null", "error: object ({}) and number (1) cannot be subtracted"),
  Case("[1, 2, 3, 4, 5, 6, 7] + 1", "null", "error: array ([1,2,3,4,5,6,7]) and number (1) cannot be added"),
  Case("1 < 2, \"a\" < \"b\", null < false, [] < {}", "null", "true", "true", "true", "true"),
  Case("nan < nan, nan == nan, nan > 1", "null", "true", "false", "false"),
  Case("[{a: 2} < {b: 1}, {a: 1, b: 1} < {c: 1}, {b: 1} < {a: 1, c: 1}]", "null", "[true,true,false]"),
  Case("1 == 1.0, [1] == [1], {a: 1} == {a: 2}", "null", "true", "true", "false"),
  Case("(true, false) and (true, false)", "null", "true", "false", "false"),
  Case("(true, false) or (true, false)", "null", "true", "true", "false"),
  Case("(null, 1, false, 2) // 3", "null", "1", "2"),
  Case("(null, false) // 3", "null", "3"),
  Case("error(\"x\") // 3", "null", "error: x"),
  Case("1, 2 | . + 1", "null", "2", "3"),
  // Construction
  Case(
    "{a, \"b\": 2, \"c\\(1)\": 3, @base64 \"x\": 4, (1 | tostring): 5, \"q\"}", #"{"a":1}"#,
    #"{"a":1,"b":2,"c1":3,"x":4,"1":5,"q":null}"#),
  Case("{a: (1, 2), b: (3, 4)} | [.a, .b]", "null", "[1,3]", "[1,4]", "[2,3]", "[2,4]"),
  Case("1 as $x | {$x, \"y\": $x}", "null", #"{"x":1,"y":1}"#),
  Case("{if: 1, and: 2}", "null", #"{"if":1,"and":2}"#),
  Case("{a: 1 | . + 1}", "null", #"{"a":2}"#),
  Case("[]", "null", "[]"),
  Case("[.[] | . * 2]", "[1,2]", "[2,4]"),
  Case("{(1, \"a\" | tostring): 0}", "null", #"{"1":0}"#, #"{"a":0}"#),
  Case("{(.): 1}", "1", "error: Cannot use number (1) as object key"),
  // Strings
  Case(#""a\tb\u00e9\ud83d\ude00""#, "null", #""a\tbé😀""#),
  Case(#""x\(1 + 2)y""#, "null", "\"x3y\""),
  Case(#""\(1, 2) \(3, 4)""#, "null", "\"1 3\"", "\"2 3\"", "\"1 4\"", "\"2 4\""),
  Case(#""\("a" | "\(.)b")""#, "null", "\"ab\""),
  Case(#"@base64 "x\(1)""#, "null", "\"xMQ==\""),
  Case("@csv, @tsv", #"[1,"a\"b",null,true,"c\td"]"#, #""1,\"a\"\"b\",,true,\"c\td\"""#, #""1\ta\"b\t\ttrue\tc\\td""#),
  Case(
    "@html, @uri, @sh, @json", #""<a' é>""#, "\"&lt;a&apos; é&gt;\"", "\"%3Ca%27%20%C3%A9%3E\"", #""'<a'\\'' é>'""#,
    #""\"<a' é>\"""#),
  Case("@base64d", "\"YWJj\"", "\"abc\""),
  Case("@base32 | ., @base32d", "\"abc\"", "\"MFRGG===\"", "\"abc\""),
  // Conditions and errors
  Case("if . then 1 else 2 end", "null", "2"),
  Case("if . then 1 elif true then 2 end", "null", "2"),
  Case("if . then 1 end", "null", "null"),
  Case("if (true, false) then 1, 2 else 3 end", "null", "1", "2", "3"),
  Case("try error(\"x\") catch .", "null", "\"x\""),
  Case("try error({a: 1}) catch .a", "null", "1"),
  Case("[.[] | tonumber?]", #"["1","x",2]"#, "[1,2]"),
  Case("try (1, error(\"x\"), 2) catch .", "null", "1", "\"x\""),
  Case("(try 1 catch 2) | error(\"y\")", "null", "error: y"),
  Case("error", #"{"a":1}"#, #"error: {"a":1} (not a string)"#),
  Case("label $out | 1, break $out, 2", "null", "1"),
  Case("[label $a | label $b | 1, break $a, 2]", "null", "[1]"),
  Case("label $a | try break $a catch 5", "null"),
  // Folds, variables, functions
  Case("reduce .[] as $x (0; . + $x)", "[1,2,3]", "6"),
  Case("reduce range(5) as $x (0; if $x == 2 then empty else . + $x end)", "null", "7"),
  Case("reduce .[] as [$a, $b] (0; . + $a * $b)", "[[1,2],[3,4]]", "14"),
  Case("[foreach (1, 2, 3) as $x (0; . + $x; [$x, .])]", "null", "[[1,1],[2,3],[3,6]]"),
  Case("[foreach (1, 2) as $x (0; (. + $x, . + 10 * $x))]", "null", "[1,10,12,30]"),
  Case(". as $x | [$x, 1] | . as [$a, $b] | {$a, $b}", "0", #"{"a":0,"b":1}"#),
  Case(
    ". as {a: $x, b: [$y], $c, $d: {e: $z}} | [$x, $y, $c, $d, $z]",
    #"{"a":1,"b":[2],"c":3,"d":{"e":4}}"#, #"[1,2,3,{"e":4},4]"#),
  Case(".[] as [$a] ?// [$b] | if $a != null then error(\"e\") else {$a, $b} end", "[[3]]", #"{"a":null,"b":3}"#),
  Case(". as [$a] ?// $a | [$a]", "[3]", "[3]"),
  Case("(1, 2) as $x | (3, 4) as $y | [$x, $y]", "null", "[1,3]", "[1,4]", "[2,3]", "[2,4]"),
  Case("def f: . + 1; def g(x): x | x; g(f)", "1", "3"),
  Case("def f($a; $b): [$a, $b, a]; [f(1, 2; 3)]", "null", "[[1,3,1,2],[2,3,1,2]]"),
  Case("def f(x): 1 as $y | x; 2 as $y | f($y)", "null", "2"),
  Case("def fac: if . <= 1 then 1 else . * (. - 1 | fac) end; fac", "10", "3628800"),
  Case("def f(g): def h: g | . + 1; h; f(. * 2)", "3", "7"),
  Case("def r(f): ., (f | r(f)); [limit(4; r(. + 1))]", "0", "[0,1,2,3]"),
  Case("[recurse(if . < 3 then . + 1, . + 2 else empty end)]", "1", "[1,2,3,4,3]"),
  Case("def f: reduce .[] as $x (0; . + $x); [.[] | f]", "[[1,2],[3]]", "[3,3]"),
  Case("[.[] as $x | $x, $x] | length", "[1,2]", "4"),
  // Variables that are always bound to the same value
  Case("1 as $x | 2 as $x | $x", "[4,5,6]", "2"),
  Case("1 as $x | (. as $x | $x), $x", "[4,5,6]", "[4,5,6]", "1"),
  Case("1 as $x | def f: $x; 2 as $x | f", "[4,5,6]", "1"),
  Case("1 as $x | . as [$y] | 2 as $z | . as [$_, $w] | [$x, $y, $z, $w]", "[4,5,6]", "[1,4,2,5]"),
  Case(#""a" as $k | [paths | select(. == [$k])], path(.[$k]?)"#, "[4,5,6]", "[]"),
  Case("1 as $a | . as [$a] ?// $b | [$a, $b]", "[4,5,6]", "[4,null]"),
  Case("def f($x): $x * 2; 3 as $x | f($x + 1), $x", "[4,5,6]", "8", "3"),
  Case("def f: 1 as $x | if . > 3 then . else . + $x | f end; length | f", "[4,5,6]", "4"),
  Case("[.[] | 4 as $n | select(. > $n)]", "[4,5,6]", "[5,6]"),
  Case(
    #"2 as $n | [limit($n; .[])], first(.[] as $v | $n | select($v > 4)), "\($n)""#, "[4,5,6]", "[4,5]", "2", #""2""#),
  Case("label $out | 5 as $n | .[] | if . >= $n then ., break $out else . end", "[4,5,6]", "4", "5"),
  Case("reduce .[] as $x (0; 10 as $f | . + $x * $f)", "[4,5,6]", "150"),
  Case(
    "[] as $none | null as $null | true as $true | [$none, $null, $true, -3 as $m | $m, -$m]", "[4,5,6]",
    "[[],null,true,-3,3]"),
  // Assignment
  Case(".a.b = 1", "null", #"{"a":{"b":1}}"#),
  Case(".a |= . + 1", #"{"a":1}"#, #"{"a":2}"#),
  Case(".[] += 1", "[1,2]", "[2,3]"),
  Case("(.a, .b) = (1, 2)", "null", #"{"a":1,"b":1}"#, #"{"a":2,"b":2}"#),
  Case(".[2:4] = [\"a\"]", "[0,1,2,3,4]", #"[0,1,"a",4]"#),
  Case("(.[] | select(. > 1)) |= . * 10", "[1,2,3]", "[1,20,30]"),
  Case(".a //= 3 | .b //= 4", #"{"a":1,"b":null}"#, #"{"a":1,"b":4}"#),
  Case(".a[1] = 5", "null", #"{"a":[null,5]}"#),
  Case(".[-5] = 1", "[1]", "error: Out of bounds negative array index"),
  Case("del(.a, .b[0])", #"{"a":1,"b":[1,2]}"#, #"{"b":[2]}"#),
  Case("del(.[-1, 2])", "[1,2,3]", "[1,2]"),
  Case("to_entries | from_entries", #"{"a":1}"#, #"{"a":1}"#),
  Case("[paths]", #"{"a":[1]}"#, #"[["a"],["a",0]]"#),
  Case("path(first(.a, .b)), path(if .a then .a else .b end), path(.a // .b)", "{}", #"["a"]"#, #"["b"]"#, #"["b"]"#),
  Case("[path(..)]", "[[1]]", "[[],[0],[0,0]]"),
  Case("path(1)", "null", "error: Invalid path expression with result 1"),
  Case("[limit(3; .[])], first(.[]), [.[] | limit(0; 1)], until(. == 4; 4)", "[1,2,3,4]", "[1,2,3]", "1", "[]", "4"),
  Case("# comment\n1 # another", "null", "1"),
]

@Test(arguments: cases)
func `an expression gives the outputs that jq gives`(example: Case) throws {
  #expect(try run(example.expression, example.input) == example.outputs)
}

@Test func `variables come from the environment by their place`() throws {
  #expect(try run("$a + $b.c", variables: ["a": 1, "b": ["c": 2]]) == ["3"])
  let expression = try Expression(". as $a | $state + $a", variables: ["key", "state", "a"])
  #expect(expression.freeVariables == ["state"])
}

@Test func `now is the time that the environment gives`() throws {
  #expect(try run("now") == ["1700000000.5"])
}

@Test(
  "what is only moved keeps its text",
  arguments: [
    Case(".", "1.10", "1.10"),
    Case(".a[0]", #"{"a":[12345678901234567890]}"#, "12345678901234567890"),
    Case("{x: .a}", #"{"a":1e3}"#, #"{"x":1e3}"#),
    Case("map(select(. > 1))", "[1.0,2.50]", "[2.50]"),
    Case(". + 1", "1.10", "2.1"),
    Case("1.10", "null", "1.10"),
    Case("1.10 + 0", "null", "1.1"),
    Case("\"id \\(.)\"", "12345678901234567890", "\"id 12345678901234567890\""),
    Case("tojson", #"["\u00e9",1.10]"#, #""[\"é\",1.1]""#),
  ])
func moved(example: Case) throws {
  #expect(try run(example.expression, example.input) == example.outputs)
}

@Test func `a sink that has had enough stops a generator`() throws {
  var outputs = 0
  try Expression("range(1e9)").evaluate(.null, Environment()) { _ throws(ExpressionError) in
    outputs += 1
    return outputs == 3 ? .stop : .next
  }
  #expect(outputs == 3)
}

@Test func `the first output decides whether an expression is true`() throws {
  let environment = Environment()
  for (source, expected) in [("1", true), ("null", false), ("false, true", false), ("empty", false), ("0", true)] {
    #expect(try Expression(source).isTrue(.null, environment) == expected)
  }
  #expect(try Expression("empty").first(.null, environment) == nil)
  #expect(try Expression("range(1e9)").first(.null, environment) == 0)
}

@Test func `an evaluation within another's sink has bounds of its own`() throws {
  let environment = Environment()
  let inner = try Expression("[range(40000)] | length")
  var lengths: [JSONValue] = []
  try Expression("1, 2, 3").evaluate(.null, environment) { _ throws(ExpressionError) in
    if let length = try inner.first(.null, environment) { lengths.append(length) }
    return .next
  }
  #expect(lengths == [40000, 40000, 40000])
}

@Test(
  "a state that is changed in place leaves what else holds it as it was",
  arguments: [
    Case(". as $x | reduce (1, 2) as $i (.; . + [$i]) | [., $x]", "[0]", "[[0,1,2],[0]]"),
    Case(". as $x | reduce (1, 2) as $i (.; .a[$i] = $i) | [., $x]", #"{"a":[0]}"#, #"[{"a":[0,1,2]},{"a":[0]}]"#),
    Case(
      "[., (.[0].a |= 2), (.[0].a += 2), del(.[0]), .]", #"[{"a":1}]"#,
      #"[[{"a":1}],[{"a":2}],[{"a":3}],[],[{"a":1}]]"#),
    Case("[foreach (1, 2) as $i ([]; . + [$i]; .)]", "null", "[[1],[1,2]]"),
    Case("reduce (1, 2) as $i ([[]]; . + [.[0]] | .[0] += [$i])", "null", "[[1,2],[],[1]]"),
    Case("reduce (1, 2, 3) as $i (0; if $i == 2 then . + empty else . + $i end)", "null", "3"),
  ])
func inPlace(example: Case) throws {
  #expect(try run(example.expression, example.input) == example.outputs)
}
