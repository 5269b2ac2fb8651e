import Expressions
import Glibc
import JSON
import TestSupport
import Testing

/// The number of random pairs of an expression and an object; `EXPRESSION_PAIRS` in the environment sets it.
private let pairs = getenv("EXPRESSION_PAIRS").flatMap { Int(String(cString: $0)) } ?? 20_000
private let pairsPerRun = 2_000

/// An expression gives the same whether it reads its input's text in place or makes values of it.
struct TextReadingTests {
  /// What an evaluation gave, and what it cost.
  private struct Outcome: Equatable {
    var outputs: [String] = []
    var error: String?
    var cost = 0
  }

  private static func outcome(
    _ environment: Environment, _ body: (inout Outcome) throws(ExpressionError) -> Void
  ) -> Outcome {
    var outcome = Outcome()
    do throws(ExpressionError) { try body(&outcome) } catch { outcome.error = error.message }
    outcome.cost = environment.cost
    return outcome
  }

  /// Returns what the operators of a graph ask for: all outputs, the first one, its truth.
  private static func outcomes(
    _ expression: Expression, _ input: Payload, readingText: Bool, _ limits: ExpressionLimits
  ) -> [Outcome] {
    let environment = Environment(variables: [.number(7), "warm"], now: 1_700_000_000.5, limits: limits)
    environment.readsText = readingText
    var all = outcome(environment) { outcome throws(ExpressionError) in
      try expression.payloads(of: input, environment) { outcome.outputs.append($0.description) }
    }
    // An object that is written as text has never been charged as one that is made.
    all.cost = 0
    return [
      all,
      outcome(environment) { outcome throws(ExpressionError) in
        outcome.outputs = try expression.first(input, environment).map { [$0.description] } ?? []
      },
      outcome(environment) { outcome throws(ExpressionError) in
        outcome.outputs = [try expression.isTrue(input, environment) ? "true" : "false"]
      },
    ]
  }

  private static func received(_ text: String) -> Payload {
    let bytes = Array(text.utf8)
    var outline = Outline()
    var parser = JSONParser()
    #expect(parser.isValue(bytes.span, outline: &outline), "\(text) is a value")
    return .raw(RawJSON(validated: bytes.span, outline: outline))
  }

  private static func expectSame(_ source: String, _ text: String) throws {
    let expression = try Expression(source, variables: ["state", "signal"])
    for steps in [100_000, 4, 3, 2, 1, 0] {
      let limits = ExpressionLimits(steps: steps)
      let input = received(text)
      let plain = outcomes(expression, input, readingText: false, limits)
      let read = outcomes(expression, input, readingText: true, limits)
      // A template takes fewer steps than the object that it stands for.
      let isLimited = steps < 100 && source.contains("{")
      #expect(read[1...] == plain[1...] && (isLimited || read[0] == plain[0]), "\(source) of \(text), \(steps) steps")
    }
  }

  @Test(arguments: [
    ".v > 20", ".v >= 21.5 and .p == 0", ".p or .seq", ".kind == \"warm\"", "\"warm\" != .kind", ".kind > \"a\"",
    ".v * 1.8 + 32", "$state + .seq", "$state + .v * 2 - .p / 3", ".kind == $signal", "$state", ".missing",
    ".missing == 1",
    ".v == .seq", ".v / .p", ".v % 2", "1", "\"\"", ".kind == \"\"", ".v > 20.50", "{seq, f: (.v * 2), kind}",
    "{f: (.kind * 2), v}", "{f: (.v > 3), g: .seq}", "-.v > 1", ".v + null", ".list == 1", ".v == nan", ".v > (1, 2)",
  ])
  func `an expression gives the same`(source: String) throws {
    for text in [
      #"{"seq":12,"v":21.5,"p":0,"kind":"warm"}"#, #"{"v":1.10,"seq":-0,"p":1e2,"kind":""}"#, "{}", "null", "[1]", "3",
      #"{"v":123456789012345678,"seq":12345678901234567890,"kind":"w\u0061rm","p":-0.0}"#, #"{"v":1,"v":30,"p":2}"#,
      #"{"v":null,"seq":true,"p":false,"kind":null}"#, #"{"v":[1],"seq":{"v":1},"p":"0","kind":"é"}"#,
      #"{ "v" : 21.5 , "seq" : 3 }"#, #"{"\u0076":5,"kind":"warmer","list":[[[1]]]}"#, #"{"v":0.00001,"seq":1e300}"#,
    ] { try Self.expectSame(source, text) }
  }

  @Test(arguments: 0..<(pairs / pairsPerRun))
  func `random pairs give the same`(run: Int) throws {
    var generator = TextGenerator(seed: UInt64(run) &* 7919)
    for _ in 0..<pairsPerRun { try Self.expectSame(generator.expression(), generator.object()) }
  }
}

/// A generator of expressions that can read text, of some that cannot, and of objects.
private struct TextGenerator {
  private var random: SplitMix

  init(seed: UInt64) { random = SplitMix(seed: seed) }

  private mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[Int.random(in: 0..<elements.count, using: &random)]
  }

  private static let keys = ["v", "seq", "kind", "p", "a long key of many bytes", "a long key of more bytes", "é", ""]

  mutating func expression() -> String {
    if pick([true, false, false]) {
      let members = (0..<Int.random(in: 1...4, using: &random)).map { "\(field().quoted($0)): (\(operand(1)))" }
      return "{\(members.joined(separator: ", "))}"
    }
    return operand(3)
  }

  private mutating func operand(_ depth: Int) -> String {
    guard depth > 0, pick([true, true, false]) else {
      return pick([field().path, field().path, literal(), "$state", "$signal"])
    }
    let sign = pick(["+", "-", "*", "/", "%", "<", "<=", ">", ">=", "==", "!=", "==", "and", "or", "//"])
    return "(\(operand(depth - 1)) \(sign) \(operand(depth - 1)))"
  }

  private mutating func field() -> Field { Field(key: pick(Self.keys)) }

  private struct Field {
    let key: String
    var path: String { ".\"\(key)\"" }
    func quoted(_ number: Int) -> String { number == 0 ? "\"\(key)\"" : "\"\(key)\(number)\"" }
  }

  private mutating func literal() -> String {
    pick([
      "0", "1", "20", "-3", "21.5", "1.50", "1e3", "\"warm\"", "\"\"", "\"é\"", "null", "true", "123456789012345678",
    ])
  }

  mutating func object() -> String {
    let colon = pick([":", ":", ":", " : "])
    let members = (0..<Int.random(in: 0...6, using: &random)).map { _ in "\"\(key())\"\(colon)\(value())" }
    return "{\(members.joined(separator: pick([",", ",", ", "])))}"
  }

  private mutating func key() -> String { pick(Self.keys + ["\\u0076", "other", "x"]) }

  private mutating func value() -> String {
    pick([
      "0", "-0", "0.0", "-0.0", "1", "20", "21", "21.5", "1.10", "-3.25", "1e3", "1E300", "0.00001", "999999999999999",
      "9999999999999999", "123456789012345678", "18446744073709551615", "0.123456789012345", "-123456789012.345",
      "\"warm\"", "\"\"", "\"a\"", "\"w\\u0061rm\"", "\"é\"", "\"e\\u0301\"", "null", "true", "false", "[1,2]",
      "{\"v\":1}",
      "[[[[1]]]]",
    ])
  }
}
