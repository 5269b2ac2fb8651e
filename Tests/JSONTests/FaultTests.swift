import JSON
import Testing

struct FaultTests {
  @Test(arguments: [
    ("", 0), ("  ", 2), ("{\"op\":\"ping\",}", 13), ("{\"op\":}", 6), ("{\"a\":tru}", 8), ("[01]", 2), ("[1.]", 3),
    (#"["\x"]"#, 3), (#"["\u00g0"]"#, 6), ("[\"a\nb\"]", 3), ("{\"a\" 1}", 5), ("[1 2]", 3), ("{\"a\":1", 6),
    ("[\"abc", 5), ("{} x", 3), ("{\"é\":x}", 6),
  ])
  func `the offset is that of the first byte that cannot be right`(text: String, offset: Int) {
    #expect(fault(text)?.kind == .syntax)
    #expect(fault(text)?.offset == offset)
  }

  @Test func `wrong UTF-8 is a fault at the first byte of the wrong character`() throws {
    let text: [UInt8] = [0x5B, 0x22, 0x61, 0xC3, 0xA9, 0xE2, 0x28, 0xA1, 0x22, 0x5D]
    guard case .failure(let error) = parsed(text) else { return #expect(Bool(false), "was taken") }
    #expect(error == JSONError(.syntax, offset: 5, "wrong UTF-8"))
  }

  @Test(arguments: [
    ("[18446744073709551616]", 1), ("[-9223372036854775809]", 1), ("[0, 1e309]", 4), ("[-1e999]", 1),
    (#"["a\ud800"]"#, 3), (#"["\ud800\u0041"]"#, 2), (#"{"\udc00":1}"#, 2),
  ])
  func `a value that cannot be held is refused at its place`(text: String, offset: Int) {
    #expect(fault(text)?.kind == .badValue)
    #expect(fault(text)?.offset == offset)
  }

  @Test func `a wrong syntax wins over a wrong value`() {
    #expect(fault("[1e999,]")?.kind == .syntax)
    #expect(fault("[1e999,]")?.offset == 7)
  }

  @Test(arguments: [1, 2, 128, 1000])
  func `containers nest to the limit and no deeper`(depth: Int) {
    for innermost in ["", "1", "{}"] where innermost != "{}" || depth > 1 {
      let levels = innermost == "{}" ? depth - 1 : depth
      #expect(fault(nested(levels, innermost), maximumDepth: depth) == nil)
      #expect(fault(nested(levels + 1, innermost), maximumDepth: depth)?.kind == .tooDeep)
    }
  }

  @Test(arguments: [1, 2, 128])
  func `the line counts as a level of nesting`(depth: Int) {
    var parser = JSONParser()
    var members: [JSONMember] = []
    let fits = Array("{\"a\":\(nested(depth - 1))}".utf8).filter { depth > 1 || $0 != 0 }
    if depth > 1 {
      #expect((try? parser.readMembers(of: fits.span, into: &members, maximumDepth: depth)) == true)
    }
    let tooDeep = Array("{\"a\":\(nested(depth))}".utf8)
    #expect((try? parser.readMembers(of: tooDeep.span, into: &members, maximumDepth: depth)) == nil)
  }

  @Test func `too deep wins over a wrong syntax, even one that stands before it`() {
    #expect(fault("{\"a\" " + nested(200), maximumDepth: 128)?.kind == .tooDeep)
    #expect(fault(String(repeating: "[", count: 500_000))?.kind == .tooDeep)
    #expect(fault("\"" + nested(200) + "\"") == nil)
  }

  @Test func `the members of a line with a refused value are found all the same`() {
    let line = Array(#"{"op":"send","id":7,"value":[1e999]}"#.utf8)
    let members = membersOfRefused(line.span)
    #expect(members.map { String(decoding: line[$0.key], as: UTF8.self) } == ["op", "id", "value"])
    #expect(members.map { String(decoding: line[$0.value], as: UTF8.self) } == ["\"send\"", "7", "[1e999]"])
  }
}
