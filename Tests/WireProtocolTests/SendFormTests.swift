import JSON
import TestSupport
import Testing
import WireProtocol

/// The fast path for common `send` lines accepts no invalid one, and yields equal requests for the others.
struct SendFormTests {
  private static let lines = [
    #"{"op":"send","signal":"a.b","value":1}"#, #"{"op": "send", "signal": "a.b", "value": {"x": [1, 2.50]}}"#,
    #"{ "op" :"send" , "signal":"a.b" ,"value" : "x}" } "#, #"{"op":"send","signal":"a.b","value":{"x" :1.50}  }"#,
    #"{"op":"send","signal":"a.b","value":1,"id":2}"#, #"{"op":"send","signal":"a.b","value":1,"value":2}"#,
    #"{"op":"send","signal":"a.b","value":"1","id":"2"}"#, #"{"op":"send","signal":"a.b","value":}"#,
    #"{"op":"send","signal":" a.b","value":1}"#, #"{"op":"send","signal":"a.b ","value":1}"#,
    #"{"op":"send","signal":"a\u002eb","value":1}"#, #"{"op":"send","signal":"ä.b","value":1}"#,
    #"{"op":"send","signal":"a.b","value":1"#, #"{"op":"send","signal":"a.b","value":1}}"#,
    #"{"op":"send","signal":"a.b","value":{}"#, #"{"op":"send","signal":"a.b","value":"\ud800"}"#,
    #"{"op":"send","signal":"a.b","value":123456789012345678901}"#, #"{"op":"send","signal":"a.b","value":1e999}"#,
    #"{"op":"send","signal":"a.b","value":[[[1]]]}"#, #"{"op":"send","signal":"a.b","value":[[[[1]]]]}"#,
    #"{"op":"send","signal":"a.b","value":[[[[]]]]}"#, #"{"op":"send","signal":"a.b","value":[[[{}]]]}"#,
    #"{"op":"send","signal":"a.b","values":[1]}"#, #"{"op":"send","signal":"","value":null}"#,
    #"{"op":"send","signal":"a.b","value":1,"message_id":"m"}"#,
    #"{"op":"send","signal":"a.b","message_id":"m","value":1}"#,
    #"{"message_id":"m","op":"send","signal":"a.b","value":1,"id":2}"#,
    #"{"op":"send","signal":"a.b","value":true}x"#, #"{"op":"sent","signal":"a.b","value":true}"#,
  ]

  /// Returns the results for a line: by the fast path and by the declaration.
  private func readings(_ line: [UInt8]) -> (quick: (signal: String, value: [UInt8])?, full: SendRequest?) {
    var parser = RequestParser(maximumDepth: 4)
    let quick = parser.send(in: line.span).map { send in
      var value: [UInt8] = []
      if case .raw(let raw) = parser.payload(of: send, in: line.span) { value = raw.bytes }
      return (String(decoding: line[send.signal], as: UTF8.self), value)
    }
    return (quick, (try? parser.parse(line.span))?.request as? SendRequest)
  }

  private func agree(_ line: [UInt8]) -> Bool {
    let (quick, full) = readings(line)
    guard let quick else { return true }
    guard let full, case .value(.raw(let raw)) = full.content else { return false }
    return quick.signal == full.signal && quick.value == raw.bytes
  }

  @Test(arguments: lines) func `both ways make the same of a line`(line: String) {
    #expect(agree(Array(line.utf8)))
  }

  @Test func `the common lines are taken the quick way, with their value as it was sent`() throws {
    for line in Self.lines.prefix(4) { #expect(readings(Array(line.utf8)).quick != nil, "\(line)") }
    let spaced = try #require(readings(Array(Self.lines[3].utf8)).quick)
    #expect(spaced.signal == "a.b" && String(decoding: spaced.value, as: UTF8.self) == #"{"x" :1.50}"#)
  }

  @Test(arguments: Self.lines.filter { $0.contains("message_id") })
  func `a line with a message_id is left to the declaration`(line: String) throws {
    let (quick, full) = readings(Array(line.utf8))
    #expect(quick == nil)
    #expect(full?.messageID == MessageID("m"))
  }

  @Test(arguments: [7])
  func `both ways make the same of lines with random errors`(seed: UInt64) {
    var random = SplitMix(seed: seed)
    let bytes = Array(" \t\r\"\\{}[],:x1.-e\u{0}".utf8) + [0x80, 0xC3, 0xFF]
    for round in 0..<4000 {
      var line = Array(Self.lines[round % Self.lines.count].utf8)
      for _ in 0...(random.next() % 3) {
        let place = Int(random.next() % UInt64(line.count))
        let byte = bytes[Int(random.next() % UInt64(bytes.count))]
        switch random.next() % 3 {
        case 0: line[place] = byte
        case 1: line.insert(byte, at: place)
        default: line.remove(at: place)
        }
      }
      #expect(agree(line), "\(String(decoding: line, as: UTF8.self))")
    }
  }
}
