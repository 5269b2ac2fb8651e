import Testing

@testable import HTTPGateway

/// The text that a browser returns, and the lines that it is made from.
@Suite struct EventPositionTests {
  private func position(_ sections: [[(String, EventPlace)]]) -> EventPosition {
    var position = EventPosition(sections: sections.count)
    for (index, section) in sections.enumerated() {
      for (name, place) in section { position.sections[index].set(name, place) }
    }
    return position
  }

  @Test func `one signal takes its epoch, its name and its number`() {
    let position = position([[("climate.raw", EventPlace(seq: 17, epoch: "2b7c"))]])
    #expect(position.text == "2b7c;climate.raw=17")
    #expect(EventPosition("2b7c;climate.raw=17", sections: 1) == position)
  }

  @Test func `epochs, ends and several subscriptions come back as they were`() {
    let position = position([
      [("shop.orders", EventPlace(seq: 4, epoch: "90af", isEnded: true)), ("a.b", EventPlace(seq: 0, epoch: "2b7c"))],
      [], [("a.b", EventPlace(seq: UInt64.max, epoch: "2b7c"))],
    ])
    let text = "90af,2b7c;shop.orders=4!,a.b=0~1;;a.b=18446744073709551615~1"
    #expect(position.text == text)
    #expect(EventPosition(text, sections: 3) == position)
  }

  @Test(arguments: [
    "", ";", "e", "e;a.b", "e;a.b=", "e;a.b=x", "e;a.b=1~1", "e;a.b=1~x", "e;a.b=1,a.b=2", ";a.b=1", "e;=1", "e;a.b=-1",
    "e;a.b=1;a.c=2", "e;a.b=99999999999999999999", "e;a.b=1~-1", "e;a.b=1~99999999999999999999",
  ])
  func `another text is none`(_ text: String) {
    let position = EventPosition(text, sections: 1)
    #expect(position == nil || position?.sections[0].names.isEmpty == true)
  }

  @Test func `a text has a bound`() {
    let names = (0..<500).map { ("graph.signal\($0)", EventPlace(seq: 1, epoch: "e")) }
    #expect(position([names]).text == nil)
    #expect(EventPosition("e;a.b=1," + String(repeating: "x", count: 5000), sections: 1) == nil)
  }

  @Test func `a line of a value is known by its beginning`() throws {
    let line = Array(#"{"event":"next","subscription":"a.*","signal":"a.b","seq":18,"value":[1,"\"seq\":9"]}"#.utf8)
    let read = NextLine(line.span)
    let next = try #require(read)
    #expect(next.seq == 18)
    #expect(String(decoding: line[next.signal], as: UTF8.self) == "a.b")
    #expect(next.label.map { String(decoding: line[$0], as: UTF8.self) } == "a.*")
  }

  @Test(arguments: [
    "", "{", #"{"event":"next"}"#, #"{"event":"lagged","signal":"a.b","dropped":1}"#,
    #"{"event":"next","call":1,"value":2}"#,
    #"{"event":"next","signal":"a\"b","seq":1,"value":2}"#, #"{"event":"next","signal":"a.b","seq":,"value":2}"#,
    #"{"event":"next","signal":"a.b","seq":12"#, #"{"event":"next","signal":"a.b"#,
  ])
  func `another line is left to the common reader`(_ line: String) {
    let bytes = Array(line.utf8)
    let read = NextLine(bytes.span)
    #expect(read == nil)
  }
}
