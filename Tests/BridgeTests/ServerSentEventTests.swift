import TestSupport
import Testing

@testable import Bridge

@Suite struct `Server-Sent Events` {
  private static func events(_ text: [UInt8], cuts: [Int] = [], lastID: String = "") -> [ServerSentEvent] {
    var parser = ServerSentEventParser(lastID: lastID, limit: 1000)
    var events: [ServerSentEvent] = []
    let places = [0] + cuts.sorted() + [text.count]
    for (start, end) in zip(places, places.dropFirst()) {
      let chunk = Array(text[start..<end])
      var place = 0
      // It stops behind each event, as in front of a slow daemon.
      while place < chunk.count {
        let progress = parser.append(chunk.span, from: place) { event in
          events.append(event)
          return .pause
        }
        guard case .consumed(let next) = progress else { return events }
        place = next
      }
    }
    return events
  }

  private static func events(_ text: String) -> [ServerSentEvent] { events(Array(text.utf8)) }

  private static func event(_ data: String, name: String = "message", lastID: String = "") -> ServerSentEvent {
    ServerSentEvent(name: name, data: data, lastID: lastID)
  }

  @Test(arguments: ["\n", "\r", "\r\n"]) func `each end of line ends a line`(end: String) {
    let lines = ["data: one", "data: two", "", "id: 7", "event: news", "data", "", ""]
    #expect(
      Self.events(lines.joined(separator: end))
        == [Self.event("one\ntwo"), Self.event("", name: "news", lastID: "7")])
  }

  @Test func `comments and unknown fields are passed over`() {
    #expect(Self.events(": hello\ndata: 1\nwhat: 2\n:\n\n") == [Self.event("1")])
  }

  @Test func `one space after the colon is none of the value`() {
    #expect(Self.events("data:  a\n\ndata:b\n\n") == [Self.event(" a"), Self.event("b")])
  }

  @Test func `a byte order mark counts for nothing at the start alone`() {
    #expect(Self.events("\u{FEFF}data: 1\n\n") == [Self.event("1")])
    #expect(Self.events("data: 1\n\n\u{FEFF}data: 2\n\n") == [Self.event("1")])
  }

  @Test func `an unfinished event is none`() { #expect(Self.events("data: 1\n\ndata: 2\n") == [Self.event("1")]) }

  @Test func `an id stays for later events, and one without data is the place to resume at`() {
    #expect(
      Self.events("id: 1\ndata: a\n\ndata: b\n\nid: 2\n\ndata: c\n\nid\ndata: d\n\n") == [
        Self.event("a", lastID: "1"), Self.event("b", lastID: "1"), Self.event("c", lastID: "2"), Self.event("d"),
      ])
    #expect(Self.events(Array("data: a\n\n".utf8), lastID: "5") == [Self.event("a", lastID: "5")])
    #expect(Self.events("id: 1\u{0}\ndata: a\n\n") == [Self.event("a")])
  }

  @Test func `the time before the next connection is a number`() {
    var parser = ServerSentEventParser(limit: 100)
    _ = parser.append(Array("retry: 12x\n\nretry: 250\n\nretry:\n\n".utf8).span) { _ in .next }
    #expect(parser.retry == 250)
  }

  @Test func `an event longer than the limit ends the stream`() {
    var parser = ServerSentEventParser(limit: 100)
    let part = Array("data: \(String(repeating: "x", count: 40))\n".utf8)
    #expect(parser.append(part.span) { _ in .next } == .consumed(part.count))
    #expect(parser.append(part.span) { _ in .next } == .consumed(part.count))
    #expect(parser.append(part.span) { _ in .next } == .tooLarge)
    var other = ServerSentEventParser(limit: 100)
    #expect(other.append(Array(repeating: 65, count: 101).span) { _ in .next } == .tooLarge)
  }

  @Test func `the cuts between reads change nothing`() {
    let text = Array(
      "\u{FEFF}: hi\r\ndata: eins\r\ndata: zwei äöü\r\rid: 1\nevent: e\ndata: x\n\nretry: 5\ndata\n\r\nid: 2\r\n\r\n"
        .utf8)
    let whole = Self.events(text)
    #expect(whole.count == 3)
    for cut in 0...text.count { #expect(Self.events(text, cuts: [cut]) == whole) }
    var random = SplitMix(seed: 1)
    for _ in 0..<500 {
      let cuts = (0..<Int.random(in: 0...20, using: &random)).map { _ in Int.random(in: 0...text.count, using: &random)
      }
      #expect(Self.events(text, cuts: cuts) == whole)
    }
    #expect(Self.events(text, cuts: Array(1..<text.count)) == whole)
  }
}
