internal import Base
internal import JSON

/// The requests of a log in the form of JetStream's API, and the meaning of the replies.
package struct JetStreamLog: Sendable {
  package let names: JetStreamNames
  /// The number of servers that store each record.
  package let replicas: Int

  package init(_ names: JetStreamNames, replicas: Int) {
    self.names = names
    self.replicas = replicas
  }

  // MARK: Requests

  /// Returns the message of a request.
  package func message(for request: StreamRequest) -> OutgoingMessage {
    switch request {
    case .append(let subject, let bytes, let after):
      OutgoingMessage(
        subject: names.subject(subject), headers: ["Nats-Expected-Last-Sequence": "\(after)"], payload: bytes)
    case .message(let sequence): api("STREAM.MSG.GET.\(names.stream)", ["seq": number(sequence)])
    case .newestMarker:
      api("STREAM.MSG.GET.\(names.stream)", ["last_by_subj": .string(names.subject(.snapshot))])
    case .info: api("STREAM.INFO.\(names.stream)")
    case .purge(let below): api("STREAM.PURGE.\(names.stream)", ["seq": number(below)])
    case .appendChunk(let bytes): OutgoingMessage(subject: names.chunkSubject, payload: bytes)
    case .chunk(let sequence): api("STREAM.MSG.GET.\(names.chunkStream)", ["seq": number(sequence)])
    case .purgeChunks(let below):
      api(
        "STREAM.PURGE.\(names.chunkStream)", ["filter": .string(names.chunkSubject), "seq": number(below)])
    }
  }

  /// The requests that create the streams, which change nothing about streams that exist with the same settings.
  package var creations: [OutgoingMessage] {
    [
      create(names.stream, subjects: "\(names.prefix).log.\(names.log).*"),
      create(names.chunkStream, subjects: "\(names.prefix).snapshots.>"),
    ]
  }

  /// The request that removes the stream of the log.
  package var removal: OutgoingMessage { api("STREAM.DELETE.\(names.stream)") }

  private func create(_ stream: String, subjects: String) -> OutgoingMessage {
    api(
      "STREAM.CREATE.\(stream)",
      [
        "name": .string(stream), "subjects": [.string(subjects)], "retention": "limits", "storage": "file",
        "discard": "new", "max_consumers": -1, "max_msgs": -1, "max_bytes": -1, "max_age": 0, "max_msg_size": -1,
        "max_msgs_per_subject": -1, "num_replicas": .number(Double(replicas)), "deny_delete": true,
        "allow_direct": false,
      ])
  }

  /// Returns the request for an ordered reader from a sequence on.
  ///
  /// - Parameters:
  ///   - name: A name that no other reader of the stream has.
  ///   - inbox: The subject for records and heartbeats, for this reader alone.
  package func startReader(_ name: String, from sequence: UInt64, inbox: String) -> OutgoingMessage {
    api(
      "CONSUMER.CREATE.\(names.stream).\(name)",
      [
        "stream_name": .string(names.stream),
        "config": [
          "name": .string(name), "deliver_subject": .string(inbox), "deliver_policy": "by_start_sequence",
          "opt_start_seq": number(sequence), "ack_policy": "none", "replay_policy": "instant", "max_deliver": -1,
          "mem_storage": true, "num_replicas": 1, "flow_control": true, "idle_heartbeat": 1_000_000_000,
          "inactive_threshold": 10_000_000_000,
        ],
      ])
  }

  package func stopReader(_ name: String) -> OutgoingMessage { api("CONSUMER.DELETE.\(names.stream).\(name)") }

  private func api(_ subject: String, _ body: JSONValue? = nil) -> OutgoingMessage {
    OutgoingMessage(subject: "$JS.API.\(subject)", payload: body?.json ?? [])
  }

  private func number(_ number: UInt64) -> JSONValue { .number(Double(number)) }

  // MARK: Replies

  /// Returns the meaning of the reply to a request.
  ///
  /// An error that is none of those that a log expects counts as unavailable; `error(in:)` has it for the log of the
  /// daemon.
  package func reply(_ message: IncomingMessage, to request: StreamRequest) -> StreamReply {
    guard message.status == nil, let reply = Self.object(message.payload) else { return .unavailable }
    if let error = JetStreamError(reply) { return Self.reply(error, to: request) }
    switch request {
    case .append: return stored(reply, in: names.stream)
    case .appendChunk: return stored(reply, in: names.chunkStream)
    case .message, .newestMarker, .chunk: return Self.message(reply) ?? .unavailable
    case .info:
      guard let state = reply.nested("state"), let first: UInt64 = state.integer("first_seq"),
        let last: UInt64 = state.integer("last_seq")
      else { return .unavailable }
      return .info(first: first, last: last)
    case .purge, .purgeChunks: return .purged
    }
  }

  /// The error in a reply, if there is one.
  package static func error(in message: IncomingMessage) -> JetStreamError? {
    object(message.payload).flatMap { JetStreamError($0) }
  }

  /// The answer to the question for a stream, or to its creation; `nil` if that failed.
  package static func report(_ message: IncomingMessage) -> StreamReport? {
    guard message.status == nil, let reply = object(message.payload) else { return nil }
    if let error = JetStreamError(reply) { return error.code == JetStreamError.noStream ? .missing : nil }
    guard let created = reply.string("created"), let last: UInt64 = reply.nested("state")?.integer("last_seq") else {
      return nil
    }
    return .stream(created: created, last: last)
  }

  private static func reply(_ error: JetStreamError, to request: StreamRequest) -> StreamReply {
    switch request {
    case .append where JetStreamError.wrongLastSequence.contains(error.code): .refused(last: error.lastSequence)
    case .message, .newestMarker, .chunk: error.code == JetStreamError.noMessage ? .missing : .unavailable
    default: .unavailable
    }
  }

  /// An acknowledgement of another stream says nothing: two streams must not take the same subject.
  private func stored(_ reply: JSONObject, in stream: String) -> StreamReply {
    guard reply.string("stream") == stream, let sequence: UInt64 = reply.integer("seq"), sequence > 0 else {
      return .unavailable
    }
    return .stored(sequence)
  }

  private static func message(_ reply: JSONObject) -> StreamReply? {
    guard let message = reply.nested("message"), let sequence: UInt64 = message.integer("seq"),
      let bytes = Base64.bytes(of: message.string("data") ?? "")
    else { return nil }
    return .message(StoredMessage(sequence: sequence, bytes: bytes))
  }

  private static func object(_ bytes: [UInt8]) -> JSONObject? {
    if case .object(let object)? = try? JSONParser.value(onThisThread: bytes.span) { object } else { nil }
  }
}
