import JSON
import TestSupport
import Testing

@testable import Expressions

/// Generated expressions compared with recorded answers of jq 1.8.
struct RecordedAnswerTests {
  private static let path = "Tests/ExpressionsTests/Answers.jsonl"

  private static let lines = ((try? Committed.lines(of: path)) ?? []).filter { !$0.isEmpty }

  @Test func `generated expressions give what jq gave`() throws {
    #expect(Self.lines.count == 600)
    for line in Self.lines {
      let answer = try Answer(line: line)
      let actual = try Reference.Result(answer.expression, answer.input)
      #expect(actual.agrees(with: answer.result), "\(answer.input) | \(answer.expression)")
    }
  }

  @Test(.enabled(if: Reference.installed.contains(.library), "PyPI's jq is not installed"))
  func `the recorded answers are those of the library`() throws {
    var generator = Generator(seed: 1, for: .library)
    let pairs = (0..<600).map { _ in generator.pair() }
    let results = try Reference.library.run(pairs)
    let lines = zip(pairs, results).map { Answer(expression: $0.expression, input: $0.input, result: $1).line }
    try Committed.expect(lines: lines + [""], at: Self.path)
  }
}

/// The outputs of a pair of an expression and an input, and the error after them.
private struct Answer {
  let expression: String
  let input: String
  let result: Reference.Result

  init(expression: String, input: String, result: Reference.Result) {
    self.expression = expression
    self.input = input
    self.result = result
  }

  init(line: String) throws {
    guard case .object(let object) = try parse(line), case .array(let outputs)? = object["outputs"] else {
      throw ReferenceFailure(text: "this is no answer: \(line)")
    }
    expression = object["expression"]?.asString ?? ""
    input = object["input"]?.asString ?? ""
    result = Reference.Result(outputs: outputs, error: object["error"])
  }

  var line: String {
    var object = JSONObject([
      ("expression", .string(expression)), ("input", .string(input)), ("outputs", .array(result.outputs)),
    ])
    if let error = result.error { object["error"] = error }
    return JSONValue.object(object).description
  }
}
