import JSON
import Testing
import WireProtocol

struct EventTests {
  @Test func `a value is an event with its number`() {
    let event = NextEvent(signal: "climate.smooth", subscription: nil)
    #expect(
      text { event.append(seq: 17, value: .value(21.5), to: &$0) }
        == #"{"event":"next","signal":"climate.smooth","seq":17,"value":21.5}"#)
    let labelled = NextEvent(signal: "a.b", subscription: "my \"label\"")
    let raw = Payload.raw(RawJSON(validated: Array("12345678901234567890".utf8)))
    #expect(
      text { labelled.append(seq: .max, value: raw, at: Timestamp(microseconds: 1_000_001), to: &$0) }
        == #"{"event":"next","subscription":"my \"label\"","signal":"a.b","seq":18446744073709551615,"value":12345678901234567890,"at":"1970-01-01T00:00:01.000001Z"}"#
    )
  }

  @Test func `events go one behind the other into one buffer`() {
    var bytes = Array("before\n".utf8)
    let event = NextEvent(signal: "a.b", subscription: nil)
    for seq in 1...2 { event.append(seq: UInt64(seq), value: .value(.null), to: &bytes) }
    #expect(
      String(decoding: bytes, as: UTF8.self)
        == "before\n{\"event\":\"next\",\"signal\":\"a.b\",\"seq\":1,\"value\":null}\n{\"event\":\"next\",\"signal\":\"a.b\",\"seq\":2,\"value\":null}\n"
    )
  }

  @Test(arguments: [
    (
      SubscriptionEvent.failed(signal: "climate.smooth", Failure(code: "timeout", message: "no value for 30s")),
      #"{"event":"failed","signal":"climate.smooth","error":{"code":"timeout","message":"no value for 30s"}}"#
    ),
    (.completed(signal: "a.b"), #"{"event":"completed","signal":"a.b"}"#),
    (.interrupted(signal: "a.b", .removed), #"{"event":"interrupted","signal":"a.b","reason":"removed"}"#),
    (.interrupted(signal: "a.b", nil), #"{"event":"interrupted","signal":"a.b"}"#),
    (.lagged(signal: "a.b", dropped: 123), #"{"event":"lagged","signal":"a.b","dropped":123}"#),
    (.subscribed(signal: "climate.new", seq: 0, epoch: nil), #"{"event":"subscribed","signal":"climate.new","seq":0}"#),
    (.subscribed(signal: "a.b", seq: 3, epoch: "e"), #"{"event":"subscribed","signal":"a.b","seq":3,"epoch":"e"}"#),
    (.ended(signal: "climate.*"), #"{"event":"ended","signal":"climate.*","reason":"take"}"#),
    (.alive(signal: "a.b", seq: 4), #"{"event":"alive","signal":"a.b","seq":4}"#),
  ])
  func `other events have their keys in order`(event: SubscriptionEvent, line: String) {
    #expect(text { event.append(to: &$0) } == line)
    let labelled = line.replacing("\",\"signal\"", with: "\",\"subscription\":\"l\",\"signal\"", maxReplacements: 1)
    #expect(text { event.append(to: &$0, subscription: "l") } == labelled)
  }

  @Test func `a call's output and a slow client's end have no signal`() {
    #expect(
      text { CallEvent(call: RequestID(3), value: .value("x")).append(to: &$0) }
        == #"{"event":"next","call":3,"value":"x"}"#)
    #expect(text { appendSlowClientLine(to: &$0) } == #"{"event":"interrupted","reason":"slow"}"#)
  }

  @Test(arguments: [
    (0, "1970-01-01T00:00:00.000000Z"), (1_700_000_000_123_456, "2023-11-14T22:13:20.123456Z"),
    (951_782_399_999_999, "2000-02-28T23:59:59.999999Z"), (951_782_400_000_000, "2000-02-29T00:00:00.000000Z"),
    (4_107_542_400_000_000, "2100-03-01T00:00:00.000000Z"), (-1, "1969-12-31T23:59:59.999999Z"),
    (1_735_689_599_000_000, "2024-12-31T23:59:59.000000Z"),
  ])
  func `a moment is written in UTC with microseconds`(microseconds: Int64, written: String) {
    let event = SubscriptionEvent.completed(signal: "s")
    let line = text { event.append(to: &$0, at: Timestamp(microseconds: microseconds)) }
    #expect(line == "{\"event\":\"completed\",\"signal\":\"s\",\"at\":\"\(written)\"}")
  }
}
