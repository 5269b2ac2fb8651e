import JSON

@testable import Expressions

/// One case of jq's test files: a program, its input, its outputs; or a program that must be refused.
struct JqCase {
  let line: Int
  let program: String
  let input: String
  let outputs: [String]
  let isRefused: Bool

  /// Parses a file: cases are separated by empty lines, comments start with `#`.
  static func read(_ text: String) -> [JqCase] {
    var cases: [JqCase] = []
    var block: [(number: Int, text: String)] = []
    let lines = (text + "\n\n").split(separator: "\n", omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      if line.drop(while: { $0 == " " || $0 == "\t" }).hasPrefix("#") { continue }
      if !line.allSatisfy({ $0 == " " }) {
        block.append((index + 1, String(line)))
      } else if !block.isEmpty {
        cases.append(JqCase(block))
        block = []
      }
    }
    return cases
  }

  private init(_ block: [(number: Int, text: String)]) {
    isRefused = block[0].text.hasPrefix("%%FAIL")
    let body = isRefused ? block.dropFirst() : block[...]
    line = body.first?.number ?? 0
    program = body.first?.text ?? ""
    let rest = body.dropFirst().map(\.text)
    input = rest.first ?? "null"
    outputs = Array(rest.dropFirst())
  }

  /// Returns the failure, if any.
  func failure() -> String? {
    do {
      let expression = try Expression(program)
      if isRefused { return "is not refused" }
      let expected = try outputs.map(Self.value)
      let actual = try run(expression)
      if actual.outputs.map(\.asPrinted) == expected.map(\.asPrinted) { return nil }
      let error = actual.error.map { ", error: \($0)" } ?? ""
      return "gives \(actual.outputs.map(\.description))\(error) instead of \(expected.map(\.description))"
    } catch let error as ExpressionSyntaxError {
      return isRefused ? nil : "is refused at \(error.offset): \(error.message)"
    } catch {
      return "cannot be run: \(error)"
    }
  }

  /// Returns the outputs, and the error after them.
  private func run(_ expression: Expression) throws -> (outputs: [JSONValue], error: String?) {
    var outputs: [JSONValue] = []
    var failure: String?
    let input = try Self.value(input)
    // Excessive run times are tested elsewhere.
    let environment = Environment(limits: ExpressionLimits(steps: 10_000_000))
    do throws(ExpressionError) {
      try expression.evaluate(input, environment) { output throws(ExpressionError) in
        outputs.append(output)
        return .next
      }
    } catch {
      failure = error.message
    }
    return (outputs, failure)
  }

  /// Parses a text that may be JSON only to jq: a byte order mark, `nan`, numbers of any size.
  private static func value(_ text: String) throws -> JSONValue {
    let text = text.unicodeScalars.first == "\u{FEFF}" ? String(text.unicodeScalars.dropFirst()) : text
    if let value = try? parse(text) { return value }
    let literal = text.replacing("NaN", with: "nan").replacing("Infinity", with: "infinite")
    return try Expression(literal).outputs(.null, Environment()).first ?? .null
  }
}

extension JSONValue {
  /// The value denoted by its text, where NaN is null and infinities are finite.
  fileprivate var asPrinted: JSONValue {
    switch plain {
    case .number(let number) where number.isNaN: .null
    case .number(let number) where number.isInfinite:
      .number(number > 0 ? .greatestFiniteMagnitude : -.greatestFiniteMagnitude)
    case .array(let items): .array(items.map(\.asPrinted))
    case .object(let object): .object(JSONObject(object.members.map { ($0.key, $0.value.asPrinted) }))
    default: plain
    }
  }
}
