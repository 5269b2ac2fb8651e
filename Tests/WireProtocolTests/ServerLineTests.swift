import JSON
import Testing
import WireProtocol

struct ServerLineTests {
  private func line(_ text: String) throws -> ServerLine {
    let bytes = Array(text.utf8)
    return try ServerLine(bytes.span)
  }

  @Test func `a client reads replies and events and keeps values as they came`() throws {
    let event = try line(#"{"event":"next","signal":"a.b","seq":3,"value":{"x": 1.50}}"#)
    #expect(event.kind == .event("next"))
    #expect(event.string("signal") == "a.b")
    #expect(event["value"].map { String(decoding: $0.bytes, as: UTF8.self) } == #"{"x": 1.50}"#)
    let reply = try line(#"{"reply":"error","id":"x","op":"get","error":{"code":"no_value","message":"none"}}"#)
    #expect(reply.kind == .reply("error"))
    #expect(reply.error?["code"] == "no_value")
    #expect(reply.id?.bytes == Array("\"x\"".utf8))
  }

  @Test(arguments: ["", "{", "[]", "{}", "{\"op\":\"ping\"}"])
  func `other lines are not from a server`(text: String) {
    #expect(throws: WireError.self) { try line(text) }
  }
}
