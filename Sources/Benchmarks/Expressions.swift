import Expressions
import JSON

/// The cost of one expression.
struct ExpressionMeasurement {
  let source: String
  /// Nanoseconds of an evaluation.
  let evaluation: Double
  /// Memory blocks allocated by an evaluation.
  let allocations: Double
  /// Nanoseconds of compiling it.
  let compilation: Double
}

/// The expressions of everyday use, on a parsed object of four members.
func expressionBenchmarks() throws -> [ExpressionMeasurement] {
  var parser = JSONParser()
  let input = try parser.value(of: Array(#"{"seq":1,"t":1700000000,"v":21.5,"p":0}"#.utf8).span)
  let sources = [
    ".v", ".v * 2 + 1", ".v > 20 and .v < 30", "{id: .seq, f: (.v * 1.8 + 32)}", "select(.v > 20) | .v",
  ]
  return try sources.map { try measure($0, input) }
}

private func measure(_ source: String, _ input: JSONValue) throws -> ExpressionMeasurement {
  let expression = try Expression(source)
  let environment = Environment()
  let evaluating = { (count: Int) in
    for _ in 0..<count where (try? expression.first(input, environment)) == nil { sink &+= 1 }
  }
  let compiling = { (count: Int) in
    for _ in 0..<count { sink &+= (try? Expression(source))?.freeVariables.count ?? 1 }
  }
  return ExpressionMeasurement(
    source: source, evaluation: median(500_000) { evaluating }, allocations: allocations(10_000) { evaluating },
    compilation: median(5_000) { compiling })
}
