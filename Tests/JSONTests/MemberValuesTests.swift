import JSON
import Testing

struct MemberValuesTests {
  /// Returns an object, parsed as a whole or as one that keeps its text.
  private func object(_ text: String, keepingText keepsText: Bool) throws -> JSONObject {
    let bytes = Array(text.utf8)
    var parser = JSONParser()
    let value = keepsText ? RawJSON(plain: bytes.span)?.value : try parser.value(of: bytes.span)
    guard case .object(let object)? = value else { throw JSONError(.syntax, offset: 0, "no object") }
    return object
  }

  @Test(arguments: [true, false])
  func `each object has the values of its own members, whatever their order`(keepsText: Bool) throws {
    var values = MemberValues(of: ["signal", "a key of more than eight bytes", "at"])
    for (text, expected) in [
      (#"{"at":1,"other":2,"signal":"a.b"}"#, ["\"a.b\"", "-", "1"]),
      (#"{"a key of more than eight bytes":[1,{"x":2}],"a key of more":3}"#, ["-", #"[1,{"x":2}]"#, "-"]),
      (#"{"signal":{"at":4},"at":null}"#, [#"{"at":4}"#, "-", "null"]),
    ] {
      values.read(try object(text, keepingText: keepsText))
      #expect((0..<3).map { values[$0]?.description ?? "-" } == expected)
    }
  }

  @Test func `of a member that occurs twice the last value applies`() throws {
    var values = MemberValues(of: ["a"])
    values.read(try object(#"{"a":1,"a":2}"#, keepingText: false))
    #expect(values[0] == 2)
  }
}
