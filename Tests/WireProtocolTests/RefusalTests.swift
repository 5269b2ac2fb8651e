import JSON
import Testing
import WireProtocol

struct RefusalTests {
  @Test(arguments: [
    (
      #"{"op":"ping",}"#,
      #"{"reply":"error","error":{"code":"bad_json","message":"expected a key in quotes, found \"}\", at byte 13","offset":13}}"#
    ),
    (
      #"{"id":7,"op":"send","signal":"a.b","value":1e999}"#,
      #"{"reply":"error","id":7,"op":"send","error":{"code":"bad_value","message":"number exceeds the range of a double, at byte 43","offset":43}}"#
    ),
    (
      #"{"id":7,"op":"send","x_id":18446744073709551616}"#,
      #"{"reply":"error","id":7,"op":"send","error":{"code":"bad_value","message":"integer out of range -9223372036854775808 to 18446744073709551615, at byte 27","offset":27}}"#
    ),
    (
      #"{"id":"a\/b","op":"sned"}"#,
      #"{"reply":"error","id":"a\/b","op":"sned","error":{"code":"unknown_op","message":"unknown op \"sned\"; did you mean \"send\"?"}}"#
    ),
    (
      #"{"op":"send","signal":"a.b","vale":1}"#,
      #"{"reply":"error","op":"send","error":{"code":"bad_request","message":"\"send\" has no field \"vale\"; did you mean \"value\"?"}}"#
    ),
    (
      #"{"op":"ping","zzzzzzzz":1}"#,
      #"{"reply":"error","op":"ping","error":{"code":"bad_request","message":"\"ping\" has no field \"zzzzzzzz\"; the nearest is \"op\""}}"#
    ),
    (
      #"{"op":"get","signal":"a.b","signal":"a.c"}"#,
      #"{"reply":"error","op":"get","error":{"code":"bad_request","message":"duplicate field \"signal\""}}"#
    ),
    (
      #"{"op":"ping","x_a":1,"x_\u0061":1}"#,
      #"{"reply":"error","op":"ping","error":{"code":"bad_request","message":"duplicate field \"x_a\""}}"#
    ),
    (
      #"{"op":"get","id":1.50}"#,
      #"{"reply":"error","id":1.50,"op":"get","error":{"code":"bad_request","message":"missing field \"signal\" of \"get\": the signal"}}"#
    ),
    (
      #"{"op":"subscribe","signal":"a.b","take":"x"}"#,
      #"{"reply":"error","op":"subscribe","error":{"code":"bad_request","message":"\"take\" must be an integer, 1 or more, not \"x\""}}"#
    ),
    (
      #"{"op":"subscribe","signal":"a.b","take":9223372036854775808}"#,
      #"{"reply":"error","op":"subscribe","error":{"code":"bad_request","message":"\"take\" must be an integer, 1 or more, and at most 9223372036854775807, not 9223372036854775808"}}"#
    ),
    (
      #"{"op":"ping","id":null}"#,
      #"{"reply":"error","op":"ping","error":{"code":"bad_request","message":"\"id\" must be a string or a number"}}"#
    ),
    (
      #"{"id":1}"#,
      #"{"reply":"error","id":1,"error":{"code":"bad_request","message":"missing field \"op\", as in {\"op\":\"list\"}"}}"#
    ),
    (
      #"{"op":5}"#,
      #"{"reply":"error","error":{"code":"bad_request","message":"\"op\" must be a string"}}"#
    ),
    (
      #"{"op":"call","action":"a.b"}"#,
      #"{"reply":"error","op":"call","error":{"code":"bad_request","message":"\"call\" needs an \"id\" for its events and its answer"}}"#
    ),
    (
      #"{"op":"send","id":1,"signal":"a.b","payload":"x","payload_base64":"AP8="}"#,
      #"{"reply":"error","id":1,"op":"send","error":{"code":"bad_request","message":"\"send\" takes only one of \"value\", \"values\", \"payload\", \"payload_base64\" and \"event\""}}"#
    ),
    (
      #"{"op":"hello","protocol":2}"#,
      #"{"reply":"error","op":"hello","error":{"code":"bad_request","message":"unsupported protocol version 2; supported: 1","supported":[1]}}"#
    ),
    (
      "garbage",
      #"{"reply":"error","op":"garbage","error":{"code":"unknown_op","message":"unknown op \"garbage\"; known: \#(RequestDeclaration.all.map(\.op).joined(separator: ", "))"}}"#
    ),
    (
      "send a.b {\"x\":}",
      #"{"reply":"error","error":{"code":"bad_json","message":"expected a value, found \"}\", at byte 14","offset":14}}"#
    ),
    (
      #"{"op":"send","signal":"a.b","value":1,"message_id":""}"#,
      #"{"reply":"error","op":"send","error":{"code":"bad_request","message":"\"message_id\" must be a string of 1 to 128 bytes, not \"\""}}"#
    ),
    (
      "send a.b",
      #"{"reply":"error","op":"send","error":{"code":"bad_request","message":"\"send\" needs one of \"value\", \"values\" and \"event\""}}"#
    ),
    (
      "get a.b c",
      #"{"reply":"error","op":"get","error":{"code":"bad_request","message":"unexpected word \"c\"; usage: get SIGNAL"}}"#
    ),
  ])
  func `a bad line is refused with what is wrong`(line: String, answer: String) {
    #expect(refusal(of: line) == answer)
  }

  @Test func `a line nested too deep is refused as such, whatever else is wrong with it`() {
    let deep = String(repeating: "[", count: 128)
    #expect(
      refusal(of: "{\"id\":1,\"op\":\"send\",\"value\":\(deep)")
        == #"{"reply":"error","error":{"code":"too_deep","message":"the line is nested deeper than 128 levels"}}"#)
  }

  @Test func `wrong UTF-8 is refused at its place, in JSON and in shorthand`() {
    let json = Array(#"{"op":""#.utf8) + [0xFF] + Array("\"}".utf8)
    #expect(
      refusal(of: json)
        == #"{"reply":"error","error":{"code":"bad_json","message":"wrong UTF-8, at byte 7","offset":7}}"#)
    #expect(
      refusal(of: Array("gét ".utf8) + [0xC3])
        == #"{"reply":"error","error":{"code":"bad_json","message":"wrong UTF-8, at byte 5","offset":5}}"#)
  }

  @Test func `a line that was skipped for its length is refused without id and op`() {
    #expect(
      text { Refusal(.tooLong(limit: 1024)).append(to: &$0) }
        == #"{"reply":"error","error":{"code":"too_long","message":"line exceeds 1024 bytes: skipped"}}"#
    )
  }

  @Test(arguments: [
    #"{"op":"subscribe","signal":"clim**.x"}"#, #"{"op":"subscribe","signal":"a.**"}"#,
    #"{"op":"subscribe","signal":""}"#,
    #"{"op":"subscribe","signal":"*."}"#, #"{"op":"subscribe","signal":"a.b","from":3}"#,
    #"{"op":"subscribe","signal":"a.b","epoch":"e"}"#, #"{"op":"subscribe","signal":"a.*","from":3,"epoch":"e"}"#,
    #"{"op":"subscribe","signal":"a.b","from":{"a.b":{"seq":3,"epoch":"e"}}}"#,
    #"{"op":"subscribe","signal":"a.*","from":{"a.b":{"seq":3,"epoch":"e"}},"epoch":"e"}"#,
    #"{"op":"subscribe","signal":"a.*","from":{"a.b":{"seq":3}}}"#,
    #"{"op":"subscribe","signal":"a.*","from":{"a.b":{"seq":-3,"epoch":"e"}}}"#,
    #"{"op":"subscribe","signal":"a.b","from":-1,"epoch":"e"}"#, #"{"op":"subscribe","signal":"a.b","replay":1.5}"#,
    #"{"op":"subscribe","signal":"a.b","take":0}"#, #"{"op":"subscribe","signal":"a.b","every":5}"#,
    #"{"op":"subscribe","signal":"a.b","every":"5"}"#, #"{"op":"subscribe","signal":"a.b","every":"0s"}"#,
    #"{"op":"subscribe","signal":"a.b","overflow":"panic"}"#, #"{"op":"subscribe","signal":"a.b","timestamps":1}"#,
    #"{"op":"send","signal":"a.b","value":1,"values":[1]}"#, #"{"op":"send","signal":"a.b","values":[]}"#,
    #"{"op":"send","signal":"a.b","values":3}"#, #"{"op":"send","signal":"a.b","event":"failed"}"#,
    #"{"op":"send","signal":"a.b","event":"completed","error":{"code":"x","message":"y"}}"#,
    #"{"op":"send","signal":"a.b","event":"failed","error":{"message":"y"}}"#, #"{"op":"send","signal":5,"value":1}"#,
    #"{"op":"send","signal":"a.b","value":1,"message_id":""}"#,
    #"{"op":"send","signal":"a.b","value":1,"message_id":7}"#,
    #"{"op":"send","signal":"a.b","value":1,"message_id":"\#(String(repeating: "é", count: 64))x"}"#,
    #"{"op":"send","signal":"a.b","message_id":"m"}"#, #"{"op":"send","signal":"a.b","event":"ended"}"#,
    #"{"op":"unsubscribe"}"#,
    #"{"op":"unsubscribe","signal":"a.b","subscription":"l"}"#, #"{"op":"describe"}"#, #"{"op":"restart"}"#,
    #"{"op":"describe","signal":"a.b","graph":"a"}"#, #"{"op":"hello","protocol":"1"}"#, #"{"op":"list","pattern":7}"#,
  ])
  func `fields that make no sense are a bad request`(line: String) {
    guard case .failure(let refusal) = parsed(line) else { return #expect(Bool(false), "\(line) was taken") }
    #expect(refusal.error.code == .badRequest)
    #expect(refusal.op != nil)
  }

  @Test func `an error comes with what belongs to its code`() {
    let error = WireError(.expired, "gone", details: ["oldest": 12])
    #expect(
      text { Refusal(id: RequestID(3), op: "subscribe", error).append(to: &$0) }
        == #"{"reply":"error","id":3,"op":"subscribe","error":{"code":"expired","message":"gone","oldest":12}}"#)
  }
}
