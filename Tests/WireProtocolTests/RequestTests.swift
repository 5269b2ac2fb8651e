import JSON
import Testing
import WireProtocol

struct RequestTests {
  /// Lines in the form of this project's clients: fields in the order of their declaration.
  private static let lines = [
    #"{"op":"hello","id":1,"protocol":1}"#, #"{"op":"ping","id":"a\u0062"}"#,
    #"{"op":"send","id":1.0,"signal":"a.b","value":{"x":1.50}}"#,
    #"{"op":"send","signal":"a.b","values":[1,"x",2.50]}"#,
    #"{"op":"send","signal":"a.b","event":"completed"}"#,
    #"{"op":"send","id":7,"signal":"a.b","value":1.50,"message_id":"order-1"}"#,
    #"{"op":"send","signal":"a.b","values":[1,2],"message_id":"\#(String(repeating: "é", count: 64))"}"#,
    #"{"op":"send","signal":"a.b","event":"failed","error":{"code":"x","message":"y"},"message_id":"😀"}"#,
    #"{"op":"send","signal":"a.b","event":"failed","error":{"code":"x","message":"y"}}"#,
    #"{"op":"subscribe","signal":"a.*","subscription":"l","replay":3,"take":2,"where":".x","every":"1m30s","heartbeat":"250ms","overflow":"latest","timestamps":true}"#,
    #"{"op":"subscribe","signal":"a.b","from":9007199254740993,"epoch":"e"}"#,
    #"{"op":"subscribe","signal":"a.*","from":{"a.b":{"seq":9007199254740993,"epoch":"e"},"a.c":{"seq":0,"epoch":"f"}}}"#,
    #"{"op":"unsubscribe","subscription":"l"}"#,
    #"{"op":"get","signal":"a.b"}"#, #"{"op":"call","id":5,"action":"a.b","value":null}"#,
    #"{"op":"list","pattern":"a.*"}"#,
    #"{"op":"values"}"#, #"{"op":"values","pattern":"a.*","history":"1h","step":"1m"}"#,
    #"{"op":"views"}"#, #"{"op":"stats","metrics":true}"#,
    #"{"op":"describe","graph":"a"}"#, #"{"op":"stats"}"#, #"{"op":"reload"}"#, #"{"op":"reload","dry_run":true}"#,
    #"{"op":"restart","signal":"a.b"}"#,
    #"{"op":"help","about":"send"}"#,
    #"{"op":"send","signal":"a.b","payload":"x\n","details":{"status":200},"position":"p"}"#,
    #"{"op":"send","signal":"a.b","payload_base64":"AP8="}"#,
    #"{"op":"send","signal":"a.b","event":"failed","error":{"code":"http","message":"m","status":503}}"#,
    #"{"op":"attach","kinds":["http"],"window":8}"#,
    #"{"op":"acknowledge","task":7,"result":"done","payload":"[1]","content_type":"application/json","details":{"status":200}}"#,
    #"{"op":"acknowledge","task":7,"result":"failed","error":{"code":"http","message":"m","status":503},"retry":true,"after":1.5}"#,
    #"{"op":"report","connection":"api","state":"away","reason":"r"}"#,
  ]

  @Test(arguments: lines)
  func `a request is read and written as it was`(line: String) throws {
    let request = try parsed(line).get()
    #expect(String(decoding: request.line, as: UTF8.self) == line + "\n")
  }

  @Test(arguments: lines)
  func `space, order and fields of your own change nothing`(line: String) throws {
    guard case .object(let object) = RawJSON(validated: Array(line.utf8)).value else { return }
    let members = object.members.reversed().map { " \"\($0.key)\" :\t\($0.value) " }
    let request = try parsed("  {" + (members + ["\"x_mine\":[{}]"]).joined(separator: ",") + "} ").get()
    #expect(String(decoding: request.line, as: UTF8.self) == line + "\n")
  }

  @Test(arguments: [
    ("send a.b {\"x\": 1.50}", #"{"op":"send","signal":"a.b","value":{"x": 1.50}}"#),
    ("  send\ta.b   21 ", #"{"op":"send","signal":"a.b","value":21}"#),
    ("send a.b \"two words\"", #"{"op":"send","signal":"a.b","value":"two words"}"#),
    ("subscribe climate.*", #"{"op":"subscribe","signal":"climate.*"}"#),
    ("unsubscribe climate.*", #"{"op":"unsubscribe","signal":"climate.*"}"#),
    ("get x.y", #"{"op":"get","signal":"x.y"}"#), ("list", #"{"op":"list"}"#),
    ("list a.*", #"{"op":"list","pattern":"a.*"}"#),
    ("describe climate", #"{"op":"describe","graph":"climate"}"#),
    ("describe climate.raw", #"{"op":"describe","signal":"climate.raw"}"#), ("ping", #"{"op":"ping"}"#),
    ("hello", #"{"op":"hello"}"#), ("stats", #"{"op":"stats"}"#), ("views", #"{"op":"views"}"#),
    ("reload", #"{"op":"reload"}"#),
    ("help", #"{"op":"help"}"#), ("restart a.b", #"{"op":"restart","signal":"a.b"}"#),
  ])
  func `shorthand means the same`(shorthand: String, line: String) throws {
    #expect(String(decoding: try parsed(shorthand).get().line, as: UTF8.self) == line + "\n")
  }

  @Test func `the value of a send is the bytes that came`() throws {
    for line in [
      #"{"op":"send","signal":"a.b","value": {"x" :1.50} }"#,
      #"{"x_":0,"op":"send","signal":"a.b","value": {"x" :1.50} }"#,
    ] {
      guard let send = try parsed(line).get().request as? SendRequest else { return #expect(Bool(false), "no send") }
      guard case .value(.raw(let raw)) = send.content else { return #expect(Bool(false), "not raw") }
      #expect(String(decoding: raw.bytes, as: UTF8.self) == #"{"x" :1.50}"#)
    }
  }

  @Test func `an escaped key is the key that it means`() throws {
    guard let get = try parsed(#"{"\u006fp":"g\u0065t","signal":"a\u002eb"}"#).get().request as? GetRequest else {
      return #expect(Bool(false), "no get")
    }
    #expect(get.signal == "a.b")
  }

  @Test func `every op is declared once, explained, and listed among the capabilities`() {
    let ops = RequestDeclaration.all.map(\.op)
    #expect(Set(ops).count == ops.count)
    for declaration in RequestDeclaration.all {
      #expect(declaration.summary.hasSuffix("."))
      #expect(declaration.capabilities.first == declaration.op)
      #expect(Set(declaration.fields.map(\.name)).count == declaration.fields.count)
    }
    #expect(RequestDeclaration.named("subscribe")?.capabilities.contains("subscribe.where") == true)
  }

  @Test func `an interval below the least is refused with it`() throws {
    for (field, least, less) in [
      ("every", SubscribeRequest.leastEvery, "999us"), ("heartbeat", SubscribeRequest.leastHeartbeat, "9ms"),
    ] {
      func line(_ interval: String) -> String { #"{"op":"subscribe","signal":"a.b","\#(field)":"\#(interval)"}"# }
      #expect(throws: Never.self) { try parsed(line(least)).get() }
      #expect(throws: (any Error).self) { try parsed(line(less)).get() }
      #expect(RequestDeclaration.named("subscribe")?.fields.first { $0.name == field }?.doc.contains(least) == true)
    }
  }

  @Test func `help explains an op from its declaration`() {
    #expect(
      text { HelpReply(about: "get").append(to: &$0, id: nil) }
        == #"{"reply":"help","ops":[{"op":"get","summary":"Return the value that a signal holds.","shorthand":"get SIGNAL","fields":[{"field":"signal","required":true,"type":"a string","doc":"the signal"},{"field":"timestamps","required":false,"type":"true or false","doc":"include the time of the value, as at"}]}]}"#
    )
  }
}

extension RequestLine {
  /// The request as written by a client.
  var line: [UInt8] { request.line(id: id) }
}
