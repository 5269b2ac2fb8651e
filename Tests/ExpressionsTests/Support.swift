import JSON
import Testing

@testable import Expressions

/// An expression, an input, and the expected outputs, the last two as JSON.
struct Case: CustomTestStringConvertible, Sendable {
  let expression: String
  let input: String
  let outputs: [String]

  init(_ expression: String, _ input: String, _ outputs: String...) {
    self.init(expression, input, outputs)
  }

  init(_ expression: String, _ input: String, _ outputs: [String]) {
    self.expression = expression
    self.input = input
    self.outputs = outputs
  }

  var testDescription: String { "\(input) | \(expression)" }
}

/// Parses a JSON text.
func parse(_ text: String) throws -> JSONValue {
  var parser = JSONParser()
  return try parser.value(of: Array(text.utf8).span)
}

/// Returns the outputs of an expression as JSON texts; an error as `error: …` after its preceding outputs.
func run(
  _ source: String, _ input: String = "null", variables: [String: JSONValue] = [:], limits: ExpressionLimits = .default
) throws -> [String] {
  let names = variables.keys.sorted()
  let expression = try Expression(source, variables: names)
  let environment = Environment(variables: names.compactMap { variables[$0] }, now: 1_700_000_000.5, limits: limits)
  var outputs: [String] = []
  do throws(ExpressionError) {
    try expression.evaluate(try parseInput(input), environment) { output throws(ExpressionError) in
      outputs.append(output.description)
      return .next
    }
  } catch {
    outputs.append("error: \(error.message)")
  }
  return outputs
}

private func parseInput(_ text: String) throws(ExpressionError) -> JSONValue {
  do { return try parse(text) } catch { throw ExpressionError(.badValue, "bad input") }
}
