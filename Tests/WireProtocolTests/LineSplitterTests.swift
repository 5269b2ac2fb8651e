import Testing
import WireProtocol

/// Feeds a splitter and records its lines; a line that is too long is recorded as such.
private struct Recorder {
  var splitter: LineSplitter
  var lines: [String] = []
  var pausesAfterEach = false

  init(limit: Int = 20) { splitter = LineSplitter(limit: limit) }

  @discardableResult
  mutating func append(_ text: String, now: UInt64 = 0) -> LineSplitter.Flow {
    let bytes = Array(text.utf8)
    var lines = lines
    let flow: LineSplitter.Flow = pausesAfterEach ? .pause : .next
    let result = splitter.append(bytes.span, now: now) { line in
      lines.append(Self.text(line))
      return flow
    }
    self.lines = lines
    return result
  }

  mutating func resume() -> LineSplitter.Flow {
    var lines = lines
    let flow: LineSplitter.Flow = pausesAfterEach ? .pause : .next
    let result = splitter.resume { line in
      lines.append(Self.text(line))
      return flow
    }
    self.lines = lines
    return result
  }

  mutating func finish() {
    var lines = lines
    _ = splitter.finish { line in
      lines.append(Self.text(line))
      return .next
    }
    self.lines = lines
  }

  private static func text(_ line: borrowing Span<UInt8>?) -> String {
    guard let line = copy line else { return "too long" }
    return String(decoding: line.indices.map { line[$0] }, as: UTF8.self)
  }
}

struct LineSplitterTests {
  @Test func `lines are shown without their ends, wherever reading stopped`() {
    let text = "{\"a\":1}\n\r\n   \n  get x.y\r\n# a comment\n\t# another\nlist\n"
    for size in 1...text.utf8.count {
      var recorder = Recorder()
      var rest = Array(text.utf8)[...]
      while !rest.isEmpty {
        recorder.append(String(decoding: rest.prefix(size), as: UTF8.self))
        rest = rest.dropFirst(size)
      }
      #expect(recorder.lines == ["{\"a\":1}", "  get x.y", "list"], "\(size) bytes at a time")
      #expect(recorder.splitter.count == 0)
    }
  }

  @Test(arguments: [1, 5, 100])
  func `a line too long is reported once and skipped without being kept`(size: Int) {
    var recorder = Recorder()
    let text =
      "12345678901234567890\n" + String(repeating: "x", count: 21) + "\n" + String(repeating: "y", count: 5000)
      + "\nping\n"
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      recorder.append(String(decoding: rest.prefix(size), as: UTF8.self))
      rest = rest.dropFirst(size)
      #expect(recorder.splitter.count <= 20 + size)
    }
    #expect(recorder.lines == ["12345678901234567890", "too long", "too long", "ping"])
  }

  @Test func `a carriage return before the end does not count`() {
    var recorder = Recorder()
    recorder.append("12345678901234567890\r")
    recorder.append("\n")
    #expect(recorder.lines == ["12345678901234567890"])
  }

  @Test func `a line too long is reported before its end has come`() {
    var recorder = Recorder()
    recorder.append(String(repeating: "x", count: 30))
    #expect(recorder.lines == ["too long"])
    recorder.append("xxx")
    #expect(recorder.splitter.unfinishedSince == 0)
    recorder.append("\nping\n")
    #expect(recorder.lines == ["too long", "ping"])
  }

  @Test func `after a pause the rest comes in order`() {
    var recorder = Recorder()
    recorder.pausesAfterEach = true
    #expect(recorder.append("one\ntwo\nthr") == .pause)
    #expect(recorder.lines == ["one"])
    #expect(recorder.resume() == .pause)
    #expect(recorder.lines == ["one", "two"])
    recorder.pausesAfterEach = false
    #expect(recorder.resume() == .next)
    recorder.append("ee\nfour\n")
    #expect(recorder.lines == ["one", "two", "three", "four"])
  }

  @Test func `a pause with more to come keeps all of it`() {
    var recorder = Recorder()
    recorder.append("on")
    recorder.pausesAfterEach = true
    recorder.append("e\ntwo\nthree\n")
    recorder.append("four\n")
    recorder.pausesAfterEach = false
    while recorder.resume() == .pause {}
    #expect(recorder.lines == ["one", "two", "three", "four"])
  }

  @Test func `the time of an unfinished line is that of its first byte`() {
    var recorder = Recorder()
    #expect(recorder.splitter.unfinishedSince == nil)
    recorder.append("a", now: 5)
    recorder.append("b", now: 6)
    #expect(recorder.splitter.unfinishedSince == 5)
    recorder.append("c\nd", now: 7)
    #expect(recorder.splitter.unfinishedSince == 7)
    recorder.append("\n", now: 8)
    #expect(recorder.splitter.unfinishedSince == nil)
  }

  @Test(arguments: [
    ("{\"op\":\"pi", true), ("  get x.y", true), ("send x.y 12", false), ("  send", false), ("sender", true),
    ("#", false),
    ("  ", false), ("", false),
  ])
  func `a last line without an end counts unless it may be half a value`(line: String, counts: Bool) {
    var recorder = Recorder()
    recorder.append("ping\n" + line)
    recorder.finish()
    #expect(recorder.lines == (counts ? ["ping", line] : ["ping"]))
  }

  @Test func `the rest of a line too long is no last line`() {
    var recorder = Recorder()
    recorder.append(String(repeating: "x", count: 30))
    recorder.append("{}")
    recorder.finish()
    #expect(recorder.lines == ["too long"])
  }
}
