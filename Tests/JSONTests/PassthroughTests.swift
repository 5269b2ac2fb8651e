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

  @Test(arguments: [
    "[]", "[1,-0.0,1.10,1e3,12345678901234567890]", #"["a","\u00e9]",null,true]"#, #"[[],{},[[],[{}]],1]"#,
    #"[ {"a" : "]}" , "b":[1, 2]} ,[ "[" , 3 ] ,"x" , {"\"":{}} ]"#,
  ])
  func `the elements of an array are its values, arrays and objects among them as texts`(text: String) throws {
    let raw = RawJSON(validated: Array(text.utf8))
    guard case .array(let values) = raw.value, let elements = raw.elements else { throw NoArray() }
    #expect(elements.map(\.value) == values)
    #expect(elements.map(\.value.description) == values.map(\.description))
    for case .raw(let element) in elements { #expect(text.contains(String(decoding: element.bytes, as: UTF8.self))) }
  }

  private struct NoArray: Error {}

  @Test(arguments: [#"{"a":[1]}"#, "1", #""[1]""#]) func `only an array has elements`(text: String) {
    #expect(RawJSON(validated: Array(text.utf8)).elements == nil)
  }

  @Test func `canonically equivalent strings are different keys and different values`() throws {
    let value = try parsed("{\"\u{E9}\":1,\"e\u{301}\":2}").get()
    guard case .object(let object) = value else { return #expect(Bool(false), "not an object") }
    #expect(object.count == 2)
    #expect(JSONValue.string("\u{E9}") != .string("e\u{301}"))
  }
}
