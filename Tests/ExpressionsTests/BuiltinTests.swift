import JSON
import Testing

@testable import Expressions

@Test(arguments: Builtin.all.map(\.signature))
func `the example of a builtin gives what it says`(signature: String) throws {
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
