import JSON
import Testing

struct MembersTests {
  private func members(_ line: String) throws -> [[String]]? {
    let bytes = Array(line.utf8)
    var parser = JSONParser()
    var members: [JSONMember] = []
    guard try parser.readMembers(of: bytes.span, into: &members) else { return nil }
    return members.map { [$0.key, $0.value].map { String(decoding: bytes[$0], as: UTF8.self) } }
  }

  @Test func `members are found with their text`() throws {
    let line = #"{"op":"send","signal":"a.b","value":{"x":[1,{"y":"}"}]},"n":1.10 , "t" : true,"e":[],"s":"a\"b" }"#
    #expect(
      try members(line) == [
        ["op", "\"send\""], ["signal", "\"a.b\""], ["value", #"{"x":[1,{"y":"}"}]}"#], ["n", "1.10"], ["t", "true"],
        ["e", "[]"], ["s", #""a\"b""#],
      ])
  }

  @Test func `an escaped quote ends no key`() throws {
    #expect(try members(#"{"a\"b\\" :1}"#) == [[#"a\"b\\"#, "1"]])
  }

  @Test func `an empty object has none and other values are no objects`() throws {
    #expect(try members(" { } ") == [])
    #expect(try members("[1]") == nil)
    #expect(try members("12") == nil)
  }

  @Test func `a parser takes texts of any length one after the other`() throws {
    var parser = JSONParser()
    var members: [JSONMember] = []
    for length in [10, 100_000, 3, 70_000, 5000, 1_000_000, 1] {
      let line = Array("{\"a\":\"\(String(repeating: "x", count: length))\"}".utf8)
      #expect(try parser.readMembers(of: line.span, into: &members))
      #expect(members == [JSONMember(key: 2..<3, value: 5..<(length + 7))])
      #expect(try parser.value(of: line.span).description.utf8.elementsEqual(line))
    }
  }
}
