import Expressions
import JSON

/// An expression on the first lines, and after an empty line the JSON of its input: it compiles or is refused, and ends
/// within its bounds with values that can be written.
enum ExpressionsTarget {
  static func run(_ bytes: [UInt8]) {
    let (source, input) = parts(of: bytes)
    let expression: Expression
    do throws(ExpressionSyntaxError) {
      expression = try Expression(source, variables: ["state"])
    } catch {
      let end = error.offset + error.length
      require(error.offset >= 0 && end <= source.unicodeScalars.count, "an error is at a place in the source")
      return
    }
    let limits = ExpressionLimits(steps: 2000, bytes: 1 << 14, depth: 100)
    let environment = Environment(variables: [.number(1)], now: 1e9, limits: limits)
    let outputs = results(of: expression, input, environment)
    require(outputs == results(of: expression, input, environment), "the same input gives the same outputs")
    let texts = payloads(of: expression, input, environment)
    // The size limit of an output is approximate within a few bytes, and exact for a text.
    let isNearLimit = (outputs + texts).contains { $0.count > limits.bytes - 256 }
    require(outputs == texts || isNearLimit, "outputs are the same as text")
    if let first = outputs.first, !first.isEmpty, let only = try? expression.first(input, environment) {
      require(only.json == first, "the first output is the first of all outputs")
      require((try? expression.first(kept(input), environment)) == only, "the text of the input gives the same")
      require((try? expression.isTrue(kept(input), environment)) == only.isTrue, "and the same truth")
    }
  }

  /// Returns the outputs of the path that may write them as text directly.
  private static func payloads(of expression: Expression, _ input: JSONValue, _ environment: Environment) -> [[UInt8]] {
    var payloads: [[UInt8]] = []
    do throws(ExpressionError) {
      try expression.payloads(of: kept(input), environment) { payloads.append($0.json) }
    } catch {
      payloads.append([])
    }
    return payloads
  }

  /// Returns a value as received as text.
  private static func kept(_ value: JSONValue) -> Payload {
    let text = value.json
    var parser = JSONParser()
    var outline = Outline()
    require(parser.isValue(text.span, outline: &outline), "what is written is valid")
    return .raw(RawJSON(validated: text.span, outline: outline))
  }

  private static func parts(of bytes: [UInt8]) -> (source: String, input: JSONValue) {
    let newline = UInt8(ascii: "\n")
    let end = bytes.indices.dropLast().first { bytes[$0] == newline && bytes[$0 + 1] == newline } ?? bytes.count
    var parser = JSONParser()
    let input = try? parser.value(of: Array(bytes[min(end + 2, bytes.count)...]).span)
    return (String(decoding: bytes[..<end], as: UTF8.self), input ?? .null)
  }

  /// Returns the outputs as JSON; an error as nothing.
  private static func results(of expression: Expression, _ input: JSONValue, _ environment: Environment) -> [[UInt8]] {
    var results: [[UInt8]] = []
    do throws(ExpressionError) {
      try expression.evaluate(input, environment) { output throws(ExpressionError) in
        results.append(output.json)
        require(output.json.count <= 1 << 18, "an output is no larger than a value may be")
        return .next
      }
    } catch {
      results.append([])
    }
    return results
  }
}
