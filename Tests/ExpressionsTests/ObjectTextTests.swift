import Expressions
import JSON
import Testing

/// The text output of an expression equals its values.
struct ObjectTextTests {
  private static let inputs = [
    #"{"seq":12,"t":1234567890123,"v":21.5,"p":"a b","x":null,"y":true}"#, "{}", "null", "5", "[1]", #""text""#,
    #"{"v":1.10,"seq":-0,"p":"","a long key":7}"#, #"{"v": 1e300, "seq" :123456789012345678, "p":"\u00e9\n"}"#,
    #"{"v":[1,2],"seq":{"v":1}}"#, #"{"v":"ä","seq":"quote\"","p":0.00001}"#, #"{"v":1,"v":2,"seq":3}"#,
  ]

  private static let expressions = [
    "{seq: .seq}", "{seq, t, v, p}", "{v, seq}", "{a: .v, b: .v, a2: .seq}", "{seq, f: (.v * 1.8 + 32)}",
    #"{"a long key", "another long key": ."a long key"}"#, "{a: 1, b: \"x\", c: null, d: false, e: -0}",
    "{a: (1e17 * 10), b: (1 / 3), c: infinite, d: nan}", "{a: .v, b: (.p | tostring)}", "{a: [.v]}", "{a: {b: .v}}",
    "{a: .}", "{(.p | tostring): .v}", "{a: .v, a: .seq}", "{a: empty}", "{a: error(\"no\")}", "{a: (.v, .seq)}",
    #"{"\"": .v}"#, "{a: .v?}", "{a: .v.b}", "{}", "{a: (.p | tostring * 3)}", "{v: .v} | {w: .v}", "{ä: .v}",
    "{n: (.v | not)}", "{n: now}", "{seq, t, v, p, x, y}", "{seq, t, v, p, y, x}", "{seq, t, v, p, x, z}",
    #"{v, seq, p, "a long key"}"#, #"{v, seq, p, "a long kex"}"#, "{v, seq}", "{seq, t, v, p, x, y: .x}",
  ]

  private static func values(_ expression: Expression, _ input: JSONValue) -> [String] {
    let environment = Environment(now: 1_700_000_000.5)
    var outputs: [String] = []
    do throws(ExpressionError) {
      try expression.evaluate(input, environment) { output throws(ExpressionError) in
        outputs.append(output.description)
        return .next
      }
    } catch {
      outputs.append("error: \(error.message)")
    }
    return outputs
  }

  private static func texts(_ expression: Expression, _ input: JSONValue) -> [String] {
    let environment = Environment(now: 1_700_000_000.5)
    var outputs: [String] = []
    do throws(ExpressionError) {
      try expression.payloads(of: .value(input), environment) { payload in
        // Equal as text, as a value, and parsed.
        outputs.append(payload.description)
        #expect(payload.value.description == payload.description)
        if case .object(let object) = payload.value {
          #expect(JSONValue.object(JSONObject(distinct: object.members)).description == payload.description)
          for member in object.members { #expect(object[member.key]?.description == member.value.description) }
        }
      }
    } catch {
      outputs.append("error: \(error.message)")
    }
    return outputs
  }

  /// A client's value, which keeps its text if possible.
  private static func kept(_ text: String) -> JSONValue {
    let bytes = Array(text.utf8)
    var parser = JSONParser()
    var outline = Outline()
    #expect(parser.isValue(bytes.span, outline: &outline))
    return RawJSON(validated: bytes.span, outline: outline).value
  }

  @Test(arguments: expressions) func `outputs are the same as text and as values`(source: String) throws {
    guard let expression = try? Expression(source) else { return }
    // Twice: an expression that has met an array or an object does not try again.
    for input in Self.inputs + Self.inputs {
      let expected = Self.values(try Expression(source), try parse(input))
      #expect(Self.texts(expression, try parse(input)) == expected, "\(input)")
      #expect(Self.texts(expression, Self.kept(input)) == expected, "\(input)")
    }
  }

  @Test func `an output that is too large is refused as text as well`() throws {
    let expression = try Expression("{a: .v, b: .v}")
    let input = Self.kept(#"{"v":"\#(String(repeating: "x", count: 60))"}"#)
    let environment = Environment(limits: ExpressionLimits(bytes: 100))
    #expect(throws: ExpressionError.self) { try expression.payloads(of: .value(input), environment) { _ in } }
    environment.limits = ExpressionLimits(bytes: 200)
    try expression.payloads(of: .value(input), environment) { #expect($0.json.count == 135) }
  }

  @Test func `a long output is the same`() throws {
    let members = (0..<16).map { #""k\#($0)":"\#(String(repeating: "y", count: 5_000))""# }
    let input = Self.kept("{" + members.joined(separator: ",") + "}")
    let expression = try Expression("{k0, k1, k2, k3, k4, k5, k6, k7, k8, k9, k10, k11, k12, k13, k14, k15}")
    #expect(Self.texts(expression, input) == Self.values(expression, input))
    #expect(Self.texts(try Expression("{k3}"), input) == Self.values(try Expression("{k3}"), input))
  }
}
