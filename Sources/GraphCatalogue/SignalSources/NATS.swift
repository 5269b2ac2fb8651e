import GraphEngine
import GraphModel
import JSON
import Signals

extension SourceDeclaration {
  static let nats = SourceDeclaration(
    "nats", "Subscribes to subjects of NATS servers, or consumes a stream of theirs, and emits the messages.",
    kind: .source,
    Parameter<NATSConnectionName>("connection", "the connection to the servers"),
    Parameter<NATSPattern?>(
      "subject", "the subject, which may have the wildcards * and >; with stream, those to consume",
      initial: .some(nil)),
    Parameter<NATSName?>("queue", "a queue group, whose members share the messages", initial: .some(nil)),
    Parameter<NATSName?>(
      "stream", "a stream, whose messages are acknowledged once they are committed", initial: .some(nil)),
    Parameter<NATSName?>("consumer", "the durable consumer of the stream", initial: .some(nil)),
    MessageParameters.format,
    Parameter<MessageForm>(
      "as", "whether a value is the payload, or {subject, payload, headers}", initial: .payload),
    as: NATSSource.init
  )
  .alsoKnown(as: "jetstream", "subscribe subject")
}

/// The messages of NATS servers on some subjects, or those of a stream.
private struct NATSSource: WholeSource {
  let connection: NATSConnectionName
  let subject: NATSPattern?
  let queue: NATSName?
  let streamName: NATSName?
  let consumer: NATSName?
  let format: LineFormat?
  let form: MessageForm

  var isHeld: Bool { false }
  var takesValues: Bool { false }

  var problem: String? {
    if streamName == nil, subject == nil { return "give a subject, or a stream with its consumer" }
    if streamName != nil, queue != nil { return "give one of queue and stream" }
    if (streamName == nil) != (consumer == nil) { return "a stream and a consumer go together" }
    return format?.problemInRecords
  }

  var advice: String? {
    streamName == nil
      ? "a subject without a stream is delivered at most once; give stream and consumer to lose no message" : nil
  }

  func stream(_ context: OperatorContext) -> Stream {
    var settings = JSONObject()
    for (key, text) in [
      ("subject", subject?.text), ("queue", queue?.text), ("stream", streamName?.text), ("consumer", consumer?.text),
    ] {
      if let text { settings[key] = .string(text) }
    }
    if form == .message { settings["as"] = "message" }
    return NetworkRecords.stream(
      of: NetworkSource(
        signal: context.signal.name, kind: .nats, connection: connection.reference.name, settings: settings), format,
      isContinuous: true, context)
  }
}
