import JSON
import Testing

struct VerbatimTests {
  @Test(arguments: [
    "1.10", "1e3", "1E3", "1.0", "-0.0", "12345678901234567890", "9007199254740993", "-9007199254740993", "0.00001",
    "1e-400", "100000000000000000", "0.1000000000000000055511151231257827", #""\u00e9""#, #""\/""#, #""\u000A""#,
    #""\u000a""#, #""\u001F""#, #""\ud83d\ude00""#,
  ])
  func `a scalar written otherwise keeps its text`(text: String) throws {
    let value = try parsed(" \(text) ").get()
    guard case .verbatim(let verbatim) = value else { return #expect(Bool(false), "\(text) is not verbatim") }
    #expect(verbatim.text == text)
    #expect(value.description == text)
    #expect(value == value.plain)
  }

  @Test(arguments: [
    "0", "-0", "1", "-15", "21.5", "0.5", "0.0001", "0.001", "100.25", "9007199254740992", "12345678901234568",
    "0.30000000000000004", "1.7976931348623157e+308", "1e-05", "1.5e+300", "\"plain\"", #""\u001f\n\"\\""#, "\"é\"",
  ])
  func `a scalar written in the canonical way is plain`(text: String) throws {
    let value = try parsed(text).get()
    if case .verbatim = value { #expect(Bool(false), "\(text) is verbatim") }
    #expect(value.description == text)
  }

  @Test func `a verbatim scalar counts as its value`() throws {
    #expect(try parsed("1.10").get() == 1.1)
    #expect(try parsed(#""\u00e9""#).get() == "é")
    #expect(try Set([parsed("1e3").get(), parsed("1000").get()]).count == 1)
    #expect(try parsed("[1.0,2]").get() < [1, 3])
  }
}
