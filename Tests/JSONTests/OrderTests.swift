import JSON
import Testing

struct OrderTests {
  @Test func `values stand in jq's order`() {
    let ordered: [JSONValue] = [
      nil, false, true, -1, 0, 0.5, 2, "", "a", "aa", "b", "é", "\u{FFFF}", "\u{1F600}", [], [0], [0, 1], [1], [:],
      ["a": 1], ["a": 2], ["a": 1, "b": 1], ["a": 2, "b": 0], ["b": 0],
    ]
    #expect(ordered.shuffled().sorted() == ordered)
    for (index, value) in ordered.enumerated() {
      for other in ordered[(index + 1)...] {
        #expect(value < other)
        #expect(value != other)
        #expect(JSONValue.compare(other, value) > 0)
      }
      #expect(value == value)
      #expect(JSONValue.compare(value, value) == 0)
    }
  }

  @Test func `not a number is below every number and equal to none`() {
    let nan = JSONValue.number(.nan)
    #expect(nan < nan)
    #expect(nan < 0)
    #expect(!(0 < nan))
    #expect(nan != nan)
  }

  @Test func `objects are equal and hash alike in any order of members`() {
    let one: JSONValue = ["a": 1, "b": [2, "x"]]
    let other: JSONValue = ["b": [2, "x"], "a": 1]
    #expect(one == other)
    #expect(one.hashValue == other.hashValue)
    #expect(one != ["a": 1, "b": [2, "y"]])
    #expect(one != ["a": 1])
  }
}
