import Testing
import WireProtocol

struct FieldTests {
  @Test(arguments: ["", String(repeating: "é", count: 65)])
  func `a message_id is no longer than it may be, and not empty`(text: String) {
    #expect(MessageID(text) == nil)
  }

  @Test func `message_ids that only look alike are two`() throws {
    let (one, other) = (try #require(MessageID("é")), try #require(MessageID("e\u{301}")))
    #expect(one.text == other.text)
    #expect(Set([one, other, one]).count == 2)
  }

  @Test(arguments: [
    ("climate.*", "climate.raw", true), ("climate.*", "climate.fan.values", false), ("climate.*", "other.raw", false),
    ("*.alarm", "climate.alarm", true), ("*.alarm", "climate.raw", false), ("*.*", "a.b", true),
    ("*.*", "a.b.c", false),
    ("climate.fan.*", "climate.fan.errors", true), ("*", "a.b", false), ("a.b", "a.b", true), ("a.b", "a.c", false),
    ("a*", "a", true), ("a*", "ab", true), ("a*", "b", false), ("a*", "a.b", false), ("g.*_load", "g.cpu_load", true),
    ("g.*_load", "g._load", true), ("g.*_load", "g.load", false), ("g.*_load", "g.cpu_load.x", false),
    ("*a*b*", "xaybz", true), ("*a*b*", "ba", false), ("a*a", "a", false), ("a*a", "aa", true),
    ("a*ab*b", "aabb", true),
    ("a*ab*b", "aab", false), ("*a*.b", "cat.b", true), ("g.é*", "g.été", true),
  ])
  func `a star stands for one part of a name, or for some of it`(pattern: String, name: String, matches: Bool) throws {
    #expect(try #require(SignalPattern(pattern)).matches(name) == matches)
  }

  @Test(arguments: ["", "a**", "a.**b", "**", "*.", ".*", "a..*", "a*..b"])
  func `other stars are no pattern`(pattern: String) {
    #expect(SignalPattern(pattern) == nil)
  }

  @Test(arguments: [
    ("250ms", Duration.milliseconds(250)), ("2s", .seconds(2)), ("1m30s", .seconds(90)), ("1h", .seconds(3600)),
    ("1.5s", .milliseconds(1500)), ("1d", .seconds(86400)), ("500us", .microseconds(500)),
    ("1h1ms", .seconds(3600) + .milliseconds(1)),
  ])
  func `a duration has amounts and units`(text: String, duration: Duration) {
    #expect(Interval(text)?.duration == duration)
  }

  @Test(arguments: ["", "5", "s", "-1s", "1x", "0s", "30s1m", "1s1s", "1 s", ".5s", "1.s", "1e3s", "9999999999999s"])
  func `other texts are no duration`(text: String) {
    #expect(Interval(text) == nil)
  }
}
