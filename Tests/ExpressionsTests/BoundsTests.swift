import JSON
import TestSupport
import Testing

@testable import Expressions

/// Evaluates and returns the code of the resulting error.
private func code(of source: String, _ input: JSONValue = .null) throws -> ExpressionError.Code? {
  do {
    _ = try Expression(source).outputs(input, Environment())
    return nil
  } catch let error as ExpressionError {
    return error.code
  }
}

@Test(arguments: [
  "range(1e9) | empty",
  "[range(infinite)]",
  "last(repeat(1))",
  "until(false; .)",
  "[while(true; .)]",
  "[recurse(.)]",
  "def f: f; f",
  "def f: 1 + f; f",
  "def f: [f]; f",
  "def f(g): f(g | g); f(.)",
  "def f: try f catch f; f",
  "[limit(1e9; repeat(1))]",
  "reduce range(1e9) as $x (0; . + 1)",
  "last(foreach repeat(1) as $x (0; . + 1))",
  "first(range(1e9) | select(. < 0))",
  "any(range(1e9); . < 0)",
  "\"x\" * 1e9",
  "reduce range(100) as $i (\"x\"; . + .)",
  "reduce range(100) as $i ([1]; . + .)",
  "reduce range(100) as $i (1; [., .])",
  "reduce range(100) as $i (1; [., .]) | tojson",
  "reduce range(100) as $i (1; [., .]) | . == .",
  "reduce range(100) as $i (1; {a: ., b: .}) | [..] | length",
  "reduce range(100) as $i (1; [., .]) | flatten",
  "reduce range(100) as $i ([1]; [., .]) | sort",
  "reduce range(100000) as $i (0; [.])",
  "reduce range(100000) as $i (0; {a: .})",
  "last(recurse([.]))",
  "setpath([range(10000) | \"a\"]; 1)",
  ".[1e9] = 1",
  "path(last(recurse(.a)))",
  "[path(limit(1e9; repeat(.a)))]",
  "last(recurse(.a)) |= 1",
  "[range(90000)] | sort_by([range(1000)])",
  "[range(300)] | combinations(10)",
  "[range(2000)] - [range(2000)]",
  "try last(repeat(1)) catch \"caught\"",
  "last(repeat(1)) // 1",
  "(\"x\" * 100000) as $s | [range(50000) | $s + \"y\"] | length",
  "[range(60000)] | map(tostring) | join(\"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\")",
  "([range(50000)] | tojson) as $s | [range(1000) | $s | fromjson] | length",
])
func `what would not end, or grow beyond all bounds, is an error soon`(source: String) throws {
  var found: ExpressionError.Code?
  let time = try ProcessorTime.of { found = try code(of: source) }
  #expect(found == .limit)
  // In release builds all of them end within 100 ms.
  #expect(time < .seconds(10))
}

@Test(arguments: HostileExpressions.all)
func `whatever an expression does too much of ends within the steps that it is given, and soon`(source: String) throws {
  let expression = try Expression(source)
  let environment = Environment(limits: ExpressionLimits(steps: 5_000))
  var outputs = 0
  let time = ProcessorTime.of {
    _ = try? expression.evaluate(.null, environment) { _ throws(ExpressionError) in
      outputs += 1
      return .next
    }
  }
  #expect(outputs <= 5_000)
  // In release builds most take 1 ms; this may be a debug build, or one with a sanitizer.
  #expect(time < .seconds(5))
}

@Test func `a limit names what was exceeded and is not caught by the expression`() throws {
  #expect(try run("try last(repeat(1)) catch 1") == ["error: the expression takes too many steps for this value"])
  #expect(try run("\"x\" * 2000000") == ["error: the result is larger than a value may be"])
  #expect(try run("def f: 1 + f; f") == ["error: the expression's functions call each other too deeply"])
}

@Test func `an evaluation goes to the limits that its environment sets, and no further`() throws {
  let steps = ExpressionLimits(steps: 20)
  #expect(try run("last(range(10))", limits: steps) == ["9"])
  #expect(try run("last(range(40))", limits: steps) == ["error: the expression takes too many steps for this value"])
  let bytes = ExpressionLimits(bytes: 20)
  #expect(try run("\"x\" * 18", limits: bytes) == ["\"xxxxxxxxxxxxxxxxxx\""])
  #expect(try run("\"x\" * 21", limits: bytes) == ["error: the result is larger than a value may be"])
  let depth = ExpressionLimits(depth: 3)
  #expect(try run("[[[.]]]", limits: depth) == ["[[[null]]]"])
  #expect(try run("[[[[.]]]]", limits: depth) == ["error: the result is nested deeper than a value may be"])
}

@Test func `a constant is as deep as the expression writes it`() throws {
  #expect(try run("[[[[1]]]]", limits: ExpressionLimits(depth: 3)) == ["[[[[1]]]]"])
}

@Test func `an environment's new limits hold for its next evaluation`() throws {
  let expression = try Expression("\"x\" * 21")
  let environment = Environment(limits: ExpressionLimits(bytes: 20))
  #expect(throws: ExpressionError.self) { try expression.first(.null, environment) }
  environment.limits.bytes = 40
  #expect(try expression.first(.null, environment) == .string(String(repeating: "x", count: 21)))
}

@Test func `an evaluation after one that failed has its full bounds`() throws {
  let environment = Environment()
  let expression = try Expression("[range(.)] | length")
  #expect(throws: ExpressionError.self) { try expression.first(1e9, environment) }
  #expect(try expression.first(1000, environment) == 1000)
}

@Test func `useful programs stay within the bounds`() throws {
  #expect(try run("[range(30000)] | add") == ["449985000"])
  #expect(try run("reduce range(30000) as $i (0; . + $i)") == ["449985000"])
  #expect(try run("[limit(1000; range(1e9))] | length") == ["1000"])
  #expect(try run("[range(2000)] | sort_by(-.) | .[0]") == ["1999"])
  #expect(try run("def f: if . > 400 then . else . + 1 | f end; 0 | f") == ["401"])
  #expect(try run("[recurse(if . < 10000 then . + 1 else empty end)] | length", "0") == ["10001"])
}

@Test func `a computed pattern costs the same whether it was compiled before or not`() throws {
  let expression = try Expression(#". as $pattern | "abc" | test($pattern)"#)
  let environment = Environment()
  let costs = try ["b+", "b+", "c+", "b+"].map { pattern in
    _ = try expression.first(.string(pattern), environment)
    return environment.cost
  }
  #expect(Set(costs).count == 1)
}

@Test func `a pattern that an evaluation uses many times is charged once`() throws {
  let pattern = String(repeating: "b?", count: 200)
  let expression = try Expression("[range(2000) | tostring | test(\"\(pattern)\")] | length")
  let environment = Environment()
  environment.searchBound = .none
  #expect(try expression.first(.null, environment) == 2000)
}

@Test func `patterns that differ only in the form of their characters are two`() throws {
  let expression = try Expression(#". as $pattern | "e\u0301" | test($pattern)"#)
  let environment = Environment()
  #expect(try expression.first("\u{e9}", environment) == false)
  #expect(try expression.first("e\u{301}", environment) == true)
}

@Test func `an evaluation ends at the piece of searching where it was cut before, and nowhere by time without a bound`()
  throws
{
  let expression = try Expression(#"test("b"), test("c")"#)
  let environment = Environment()
  func outputs(_ bound: SearchBound) -> [JSONValue] {
    environment.searchBound = bound
    var outputs: [JSONValue] = []
    try? expression.evaluate("abc", environment) { output throws(ExpressionError) in
      outputs.append(output)
      return .next
    }
    return outputs
  }
  #expect(outputs(.none) == [true, true])
  // Compiling a pattern and searching are a piece each.
  #expect(outputs(.cut(piece: 3)) == [true])
  #expect(outputs(.cut(piece: 1)) == [])
  #expect(outputs(.time(evaluation: 1)) == [true, true])
}

@Test func `a search that takes too long tells its piece, at which a repetition ends`() throws {
  let expression = try Expression(#"test("a*b")"#)
  let environment = Environment()
  environment.searchBound = .time(evaluation: 7)
  var cuts: [(evaluation: Int, piece: Int)] = []
  environment.onSearchCut = { cuts.append(($0, $1)) }
  let text = JSONValue.string(String(repeating: "a", count: 500_000))
  #expect(throws: ExpressionError.self) { try expression.first(text, environment) }
  let cut = try #require(cuts.first)
  #expect(cuts.count == 1 && cut.evaluation == 7)
  environment.searchBound = .cut(piece: cut.piece)
  #expect(throws: ExpressionError.self) { try expression.first(text, environment) }
  #expect(cuts.count == 1)
}
