import JSON
import Testing

@testable import HTTPGateway

/// The signals whose values an explanation may contain.
@Suite struct ExplainedSignalsTests {
  private func names(_ text: String) throws -> Set<String>? {
    guard case .object(let object) = try JSONParser.value(onThisThread: Array(text.utf8).span) else { return nil }
    return ExplainedSignals.names(in: object)
  }

  @Test(arguments: [
    // At any depth
    (#"{"why":{"kind":"signal","signal":"a.b","given":[{"kind":"step","signal":"a.c"}]}"#, ["a.b", "a.c"]),
    (#"{"why":{"kind":"step","read":[{"role":"chosen","origin":{"kind":"signal","signal":"a.b"}}]}"#, ["a.b"]),
    (#"{"why":{},"needed":[{"number":1,"signal":"a.b"}]"#, ["a.b"]),
    (#"{"why":{},"added":{"later":[{"signal":"a.b"}]}"#, ["a.b"]),
    // Several in one
    (#"{"why":{"kind":"entry","entry":"restart","signal":"a.b, a.c"}"#, ["a.b", "a.c"]),
    // In values it is data
    (#"{"why":{"kind":"signal","signal":"a.b","value":{"signal":"x.y"},"error":{"signal":"x.y"}}"#, ["a.b"]),
    (
      #"{"signal":"a.b","turns":[{"stops":[{"signal":"a.c","given":{"signal":"x.y"},"remembered":[{"signal":"x.y"}]}],"#
        + #""told":{"signal":"x.y"}}]"#, ["a.b", "a.c"]
    ),
  ])
  func `are those that it names, and those that its signal was computed from`(
    _ beginning: String, _ found: [String]
  ) throws {
    #expect(try names(beginning + #","upstream":["a.d","a.e"]}"#) == Set(found + ["a.d", "a.e"]))
  }

  @Test func `are not known where it lacks what its signal was computed from`() throws {
    #expect(try names(#"{"why":{"kind":"signal","signal":"a.b"}}"#) == nil)
  }
}
