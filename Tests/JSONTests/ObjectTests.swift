import JSON
import Testing

struct ObjectTests {
  @Test(arguments: [1, 16, 17, 500])
  func `members are set, found, replaced and removed`(count: Int) {
    var object = JSONObject()
    for index in 0..<count { object["key \(index)"] = .number(Double(index)) }
    #expect(object.count == count)
    for index in 0..<count { #expect(object["key \(index)"] == .number(Double(index))) }
    object["key 0"] = "new"
    #expect(object["key 0"] == "new")
    #expect(object.members.first?.key == "key 0")
    #expect(object["no such key"] == nil)
    for index in 0..<count where index % 2 == 0 { object["key \(index)"] = nil }
    #expect(object.count == count / 2)
    for index in 0..<count { #expect((object["key \(index)"] != nil) == (index % 2 == 1)) }
  }

  @Test func `a parsed object of many members keeps the last of equal keys`() throws {
    let members = (0..<100).map { "\"k\($0 % 60)\":\($0)" }.joined(separator: ",")
    guard case .object(let object) = try parsed("{\(members)}").get() else { return #expect(Bool(false), "no object") }
    #expect(object.count == 60)
    #expect(object["k10"] == 70)
    #expect(object["k50"] == 50)
  }
}
