import JSON
import Testing

struct PassthroughTests {
  @Test(arguments: [
    #"{"unit":"C","value":21}"#, #"{"seq":1,"t":123,"v":21.5,"p":0}"#, #"[1.10,12345678901234567890,1e3,"\u00e9\/"]"#,
    "[]", "{}", "[[],{}]", "null", #"{"":{"":[""]}}"#, #"{"a":[{"b":[[1],[2,3]]},"x",-0.0]}"#, "\"😀\"",
  ])
  func `a compact text comes out byte for byte`(text: String) throws {
    #expect(try parsed(text).get().description == text)
    let raw = RawJSON(validated: Array(text.utf8))
    #expect(Payload.raw(raw).json == Array(text.utf8))
    #expect(Payload.value(raw.value).json == Array(text.utf8))
  }

  @Test func `white space between tokens goes and nothing else`() throws {
    #expect(
      try parsed("\t{ \"a b\" : [ 1.50 , \"c  d\" ] ,\r\n\"e\":{ } } ").get().description
        == #"{"a b":[1.50,"c  d"],"e":{}}"#)
  }

  @Test func `of equal keys the last value wins in the first one's place`() throws {
    #expect(try parsed(#"{"a":1,"b":2,"a":3}"#).get().description == #"{"a":3,"b":2}"#)
    #expect(try parsed(#"{"é":1,"\u00e9":2}"#).get().description == #"{"é":2}"#)
  }

  @Test func `raw text is parsed once and gives the same value to all`() {
    let raw = RawJSON(validated: Array(#"{"a":[1,2.5,"x"]}"#.utf8))
    #expect(raw.value == ["a": [1, 2.5, "x"]])
    #expect(raw.value == raw.value)
  }

  @Test func `canonically equivalent strings are different keys and different values`() throws {
    let value = try parsed("{\"\u{E9}\":1,\"e\u{301}\":2}").get()
    guard case .object(let object) = value else { return #expect(Bool(false), "not an object") }
    #expect(object.count == 2)
    #expect(JSONValue.string("\u{E9}") != .string("e\u{301}"))
  }
}
