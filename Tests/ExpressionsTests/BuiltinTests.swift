import JSON
import Testing

@testable import Expressions

@Test(arguments: Builtin.all.map(\.signature))
func `the example of a builtin has the outputs that it states`(signature: String) throws {
  let builtin = try #require(Builtin.all.first { $0.signature == signature })
  let example = builtin.example
  let expected = try example.outputs.map(parse)
  let actual = try run(example.expression, example.input).map(parse)
  #expect(actual == expected)
  #expect(example.expression.contains(builtin.name))
}

@Test func `every builtin has a summary of one sentence and a signature of its own`() {
  for builtin in Builtin.all { #expect(builtin.summary.hasSuffix(".")) }
  #expect(Set(Builtin.all.map(\.signature)).count == Builtin.all.count)
}

@Test(
  "what the reference gives where one might think otherwise",
  arguments: [
    Case("frexp, modf", "-3.5", "[-0.875,2]", "[-0.5,-3]"),
    Case("modf", "null", "error: null (null) number required"),
    Case("[nan | modf[] | isnan]", "null", "[true,true]"),
    Case("bsearch(4), bsearch(0), bsearch(1)", "[1,2,3]", "-4", "-1", "0"),
    Case("bsearch(1)", "null", "error: null (null) cannot be searched from"),
    Case("reverse", "null", "[]"),
    Case("reverse", "\"ab\"", "error: Cannot index string with number (0)"),
    Case("contains([{a: 1}])", "[{\"a\":false}]", "false"),
    Case("contains(true)", "false", "error: boolean (false) and boolean (true) cannot have their containment checked"),
    Case("tojson", "\"\\u007f\"", #""\"\\u007f\"""#),
    Case(#""\(.[:2]?) and \(.a)""#, "1", "error: Cannot index number with string (\"a\")"),
    Case("try @base64d catch .", "\"QUJDa\"", #""string (\"QUJDa\") trailing base64 byte found""#),
    Case(
      "try implode catch .", "[\"a\"]", #""string (\"a\") can't be imploded, unicode codepoint needs to be numeric""#),
  ])
func reference(example: Case) throws {
  #expect(try run(example.expression, example.input) == example.outputs)
}
