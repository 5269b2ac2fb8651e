internal import WireProtocol

extension Command {
  static let send = Command(
    name: "send", operands: "SIGNAL VALUE…|-", kinds: [.listed(.input), .anything],
    summary: "send values to a signal",
    details: """
      A VALUE is JSON; with --string it is text and becomes a JSON string. - reads standard input and sends each line as
      a value. All values are sent, even if some are rejected.

      With --reliable, each value is accepted exactly once, across lost connections and restarts of the daemon: it has a
      message id and is resent, in order, until the daemon acknowledges that it is on disk. The signal must be an input
      of a durable graph. Waits for the daemon if it is not running. At most 1,000 values are unacknowledged.
      """,
    options: [
      Option(name: "string", letter: "t", doc: "values are text, not JSON"),
      Option(
        name: "event", argument: "EVENT", doc: "end the signal instead: completed, failed or interrupted",
        kind: .word(ServerLine.endings)),
      Option(name: "code", argument: "CODE", doc: "the code of --event failed"),
      Option(name: "message", argument: "TEXT", doc: "the message of --event failed"),
      Option(
        name: "message-id", argument: "ID", doc: "idempotency key: a repeated ID is accepted once (durable graphs)"),
      Option(
        name: "reliable", doc: "resend each value until acknowledged, across reconnects (durable graphs)"),
      Option(name: "timeout", argument: "DURATION", doc: "with --reliable: give up after this long, with status 75"),
    ],
    examples: [
      Example(#"signalbox send climate.raw '{"unit":"C","value":31}'"#, "send an object"),
      Example("signalbox send --string hello.name Ada", "send a string"),
      Example("sensors --json-lines | signalbox send climate.raw -", "send each line of a program"),
      Example("signalbox send --event completed jobs.queue", "complete an endable input"),
      Example("meter --json-lines | signalbox send --reliable meter.readings -", "exactly once"),
      Example(#"signalbox send --message-id "order-$number" shop.orders "$order""#, "safe to retry"),
    ]
  ) { invocation throws(CommandError) in
    let operands = try invocation.operands(1...Int.max)
    let values = Array(operands.dropFirst())
    let ending = try ending(invocation)
    if ending != nil && !values.isEmpty { throw .usage("--event takes no VALUE") }
    if ending == nil && values.isEmpty {
      throw .usage("missing VALUE, or - for standard input; see signalbox send --help")
    }
    let messageID = try messageID(invocation)
    if messageID != nil && (values.count > 1 || values == ["-"]) {
      throw .usage("--message-id requires exactly one VALUE")
    }
    if invocation.has("reliable") {
      if ending != nil { throw .usage("--reliable cannot be combined with --event") }
    } else if invocation.has("timeout") {
      throw .usage("--timeout requires --reliable")
    }
    let sender = try Sender(invocation, signal: operands[0], messageID: messageID)
    if let ending { try sender.send(ending) } else { try sender.send(values) }
  }

  private static func messageID(_ invocation: Invocation) throws(CommandError) -> MessageID? {
    guard let text = invocation.text("message-id") else { return nil }
    guard let messageID = MessageID(text) else {
      throw .usage("--message-id must be 1 to \(MessageID.longest) bytes long, not \(text.utf8.count)")
    }
    return messageID
  }

  private static func ending(_ invocation: Invocation) throws(CommandError) -> SendRequest? {
    guard let event: SendRequest.Event = try invocation.option("event") else { return nil }
    var request = SendRequest()
    request.event = event
    if event == .failed {
      let code = invocation.text("code") ?? "error"
      request.error = Failure(code: code, message: invocation.text("message") ?? "")
    }
    return request
  }
}
