import Testing

@testable import Cluster

/// The answers are those of nats-server 2.9.10 and 2.15.1, as they were received.
@Suite struct JetStreams {
  private let log = JetStreamLog(
    JetStreamNames(prefix: "house", log: LogName(graph: "alarms")), replicas: 3)

  private func text(_ message: OutgoingMessage) -> String { String(decoding: message.payload, as: UTF8.self) }

  private func reply(_ text: String, to request: StreamRequest) -> StreamReply {
    log.reply(IncomingMessage(subject: "R.1", payload: Array(text.utf8)), to: request)
  }

  private let append = StreamRequest.append(.commit, [1, 2], after: 7)

  // MARK: Requests

  @Test func `an append names the sequence it belongs behind, and nothing else`() {
    #expect(
      log.message(for: append)
        == OutgoingMessage(
          subject: "house.log.alarms.0.commit", headers: ["Nats-Expected-Last-Sequence": "7"], payload: [1, 2]))
    #expect(
      log.message(for: .appendChunk([3])) == OutgoingMessage(subject: "house.snapshots.alarms.0", payload: [3]))
  }

  @Test(arguments: [
    (StreamRequest.message(at: 9), "$JS.API.STREAM.MSG.GET.SB_LOG_house_alarms_0", #"{"seq":9}"#),
    (
      .newestMarker, "$JS.API.STREAM.MSG.GET.SB_LOG_house_alarms_0",
      #"{"last_by_subj":"house.log.alarms.0.snapshot"}"#
    ), (.info, "$JS.API.STREAM.INFO.SB_LOG_house_alarms_0", ""),
    (.purge(below: 5), "$JS.API.STREAM.PURGE.SB_LOG_house_alarms_0", #"{"seq":5}"#),
    (.chunk(at: 1 << 40), "$JS.API.STREAM.MSG.GET.SB_SNAPSHOTS_house", #"{"seq":1099511627776}"#),
    (
      .purgeChunks(below: 5), "$JS.API.STREAM.PURGE.SB_SNAPSHOTS_house",
      #"{"filter":"house.snapshots.alarms.0","seq":5}"#
    ),
  ])
  func `requests have the form of the API`(request: StreamRequest, subject: String, body: String) {
    let message = log.message(for: request)
    #expect(message.subject == subject)
    #expect(text(message) == body)
    #expect(message.headers == [:])
  }

  @Test func `streams are created without limits, and readers with heartbeats, flow control and an end`() {
    #expect(
      log.creations.map(\.subject) == [
        "$JS.API.STREAM.CREATE.SB_LOG_house_alarms_0", "$JS.API.STREAM.CREATE.SB_SNAPSHOTS_house",
      ])
    #expect(
      text(log.creations[0])
        == #"{"name":"SB_LOG_house_alarms_0","subjects":["house.log.alarms.0.*"],"retention":"limits","storage":"file","#
        + #""discard":"new","max_consumers":-1,"max_msgs":-1,"max_bytes":-1,"max_age":0,"max_msg_size":-1,"#
        + #""max_msgs_per_subject":-1,"num_replicas":3,"deny_delete":true,"allow_direct":false}"#)
    let reader = log.startReader("attic-1", from: 8, inbox: "_INBOX.x")
    #expect(reader.subject == "$JS.API.CONSUMER.CREATE.SB_LOG_house_alarms_0.attic-1")
    #expect(
      text(reader)
        == #"{"stream_name":"SB_LOG_house_alarms_0","config":{"name":"attic-1","deliver_subject":"_INBOX.x","#
        + #""deliver_policy":"by_start_sequence","opt_start_seq":8,"ack_policy":"none","replay_policy":"instant","#
        + #""max_deliver":-1,"mem_storage":true,"num_replicas":1,"flow_control":true,"idle_heartbeat":1000000000,"#
        + #""inactive_threshold":10000000000}}"#)
    #expect(log.stopReader("attic-1").subject == "$JS.API.CONSUMER.DELETE.SB_LOG_house_alarms_0.attic-1")
  }

  // MARK: Replies

  @Test(arguments: [
    #"{"stream":"SB_LOG_house_alarms_0", "seq":2}"#, #"{"stream":"SB_LOG_house_alarms_0","seq":2}"#,
    #"{"stream":"SB_LOG_house_alarms_0","seq":2,"duplicate":true}"#,
  ])
  func `an acknowledgement tells the sequence`(text: String) { #expect(reply(text, to: append) == .stored(2)) }

  @Test(arguments: [
    (
      #"{"error":{"code":400,"err_code":10071,"description":"wrong last sequence: 1"},"#
        + #""stream":"SB_LOG_house_alarms_0","seq":0}"#, StreamReply.refused(last: 1)
    ),
    (
      #"{"error":{"code":400,"err_code":10164,"description":"wrong last sequence"},"stream":"SB_LOG_house_alarms_0","seq":0}"#,
      .refused(last: nil)
    ),
    (
      #"{"error":{"code":503,"err_code":10077,"description":"message size exceeds maximum allowed"},"stream":"S","seq":0}"#,
      .unavailable
    ), (#"{"stream":"ANOTHER","seq":2}"#, .unavailable), (#"{"stream":"SB_LOG_house_alarms_0"}"#, .unavailable),
    ("", .unavailable), ("[1", .unavailable),
  ])
  func `an append that is not acknowledged is refused, or its fate is open`(text: String, expected: StreamReply) {
    #expect(reply(text, to: append) == expected)
  }

  @Test func `a message is returned with its bytes`() {
    let text =
      #"{"type":"io.nats.jetstream.api.v1.stream_msg_get_response","message":{"subject":"house.log.alarms.0.open","seq":1,"#
      + #""hdrs":"TkFUUy8xLjANCk5hdHMtRXhwZWN0ZWQtTGFzdC1TZXF1ZW5jZTogMA0KDQo=","data":"aGVsbG8A/w==","#
      + #""time":"2026-11-29T07:06:33.50948875Z"}}"#
    let message = StreamReply.message(StoredMessage(sequence: 1, bytes: Array("hello".utf8) + [0, 255]))
    for request in [StreamRequest.message(at: 1), .newestMarker, .chunk(at: 1)] {
      #expect(reply(text, to: request) == message)
      #expect(reply(text.replacing("aGVsbG8A/w==", with: "aGVsbG8A/w"), to: request) == .unavailable)
    }
  }

  @Test func `a message that is not there is missing, and a stream that is not there is unavailable`() {
    let missing =
      #"{"type":"io.nats.jetstream.api.v1.stream_msg_get_response","error":{"code":404,"err_code":10037,"#
      + #""description":"no message found"}}"#
    #expect(reply(missing, to: .message(at: 9)) == .missing)
    let none =
      #"{"type":"io.nats.jetstream.api.v1.stream_info_response","error":{"code":404,"err_code":10059,"#
      + #""description":"stream not found"},"total":0,"offset":0,"limit":0}"#
    #expect(reply(none, to: .info) == .unavailable)
    let error = JetStreamLog.error(in: IncomingMessage(subject: "R.1", payload: Array(none.utf8)))
    #expect(error?.code == JetStreamError.noStream)
    #expect(error?.description == "stream not found")
    #expect(JetStreamLog.report(IncomingMessage(subject: "R.1", payload: Array(none.utf8))) == .missing)
    #expect(JetStreamLog.report(IncomingMessage(subject: "R.1", payload: Array(missing.utf8))) == nil)
    #expect(JetStreamLog.report(IncomingMessage(subject: "R.1", status: 503)) == nil)
  }

  @Test func `the ends of a stream are read from its state`() {
    let text =
      #"{"type":"io.nats.jetstream.api.v1.stream_info_response","total":0,"offset":0,"limit":0,"config":{"name":"SB"},"#
      + #""created":"2026-11-29T07:07:22.002357359Z","state":{"messages":2,"bytes":216,"first_seq":2,"#
      + #""first_ts":"2026-11-29T07:07:22.013215256Z","last_seq":3,"last_ts":"2026-11-29T07:07:22.013287925Z","#
      + #""num_subjects":2,"consumer_count":0},"cluster":{"leader":"N"}}"#
    #expect(reply(text, to: .info) == .info(first: 2, last: 3))
    #expect(
      JetStreamLog.report(IncomingMessage(subject: "R.1", payload: Array(text.utf8)))
        == .stream(created: "2026-11-29T07:07:22.002357359Z", last: 3))
  }

  @Test func `a purge is confirmed, and a stream with other settings is an error`() {
    let purged = #"{"type":"io.nats.jetstream.api.v1.stream_purge_response","success":true,"purged":1}"#
    #expect(reply(purged, to: .purge(below: 2)) == .purged)
    let differs =
      #"{"type":"io.nats.jetstream.api.v1.stream_create_response","error":{"code":400,"err_code":10058,"#
      + #""description":"stream name already in use with a different configuration"}}"#
    #expect(
      JetStreamLog.error(in: IncomingMessage(subject: "R.4", payload: Array(differs.utf8)))?.code
        == JetStreamError.streamDiffers)
  }

  @Test func `a request that nothing listens to is unavailable`() {
    for headers in [[:], ["Nats-Subject": "nobody.there"]] {
      let message = IncomingMessage(subject: "R.17", status: 503, headers: headers)
      #expect(log.reply(message, to: append) == .unavailable)
    }
  }

  // MARK: Readers

  @Test(arguments: [
    "$JS.ACK.SB_LOG_house_alarms_0.zQKcnIBG.1.2.1.1795935993510008294.1",
    "$JS.ACK.hub.ACCOUNT.SB_LOG_house_alarms_0.attic-1.1.2.1.1795935993510008294.1.x",
    "$JS.ACK.hub.ACCOUNT.SB_LOG_house_alarms_0.attic-1.1.2.1.1795935993510008294.1",
  ])
  func `a delivery tells its place in the stream and what is behind it`(subject: String) {
    let message = IncomingMessage(
      subject: "house.log.alarms.0.commit", reply: subject, headers: ["Nats-Expected-Last-Sequence": "1"],
      payload: [5])
    #expect(ReaderMessage(message) == .record(StoredMessage(sequence: 2, bytes: [5]), pending: 1))
  }

  @Test func `statuses are heartbeats, flow control, or the end of a reader`() {
    func read(_ status: Int, _ description: String, _ headers: [String: String] = [:], reply: String? = nil)
      -> ReaderMessage?
    {
      ReaderMessage(
        IncomingMessage(
          subject: "D", reply: reply, status: status, description: description, headers: headers))
    }
    let beat = ["Nats-Last-Consumer": "2", "Nats-Last-Stream": "3"]
    #expect(read(100, "Idle Heartbeat", beat) == .heartbeat(delivered: 3))
    #expect(
      read(100, "FlowControl Request", reply: "$JS.FC.S.c.1") == .flowControl(replyTo: "$JS.FC.S.c.1"))
    let stalled = beat.merging(["Nats-Consumer-Stalled": "$JS.FC.S.c.2"]) { first, _ in first }
    #expect(read(100, "Idle Heartbeat", stalled) == .flowControl(replyTo: "$JS.FC.S.c.2"))
    #expect(read(409, "Consumer Deleted") == .ended("409 Consumer Deleted"))
    #expect(read(408, "Request Timeout") == .ended("408 Request Timeout"))
    #expect(read(503, "") == .ended("503 "))
    #expect(read(100, "") == nil)
  }

  @Test func `a message without a place in a stream means nothing to a reader`() {
    #expect(ReaderMessage(IncomingMessage(subject: "D", payload: [1])) == nil)
    #expect(ReaderMessage(IncomingMessage(subject: "D", reply: "_INBOX.x.y")) == nil)
    #expect(ReaderMessage(IncomingMessage(subject: "D", reply: "$JS.ACK.a.b.1.x.1.1.1")) == nil)
  }
}
