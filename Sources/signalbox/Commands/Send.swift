internal import WireProtocol

extension Command {
  static let send = Command(
    name: "send", operands: "SIGNAL VALUE…|-", kinds: [.listed(.input), .anything],
    summary: "send values into an input",
    details: """
      A VALUE is JSON; with --string it is text and becomes a JSON string. - takes the lines of standard input, each a
      value, and sends each as it comes. All are sent, whichever is refused.

      With --reliable nothing is lost and nothing is doubled, whatever happens to the connection or the daemon: each value
      has a message id, and is sent again, in order, until the daemon has answered that it is on the disk. The signal is
      an input of a durable graph. Waits for a daemon that is not there. 1,000 values at most are on their way.
      """,
    options: [
      Option(name: "string", letter: "t", doc: "values are text, not JSON"),
      Option(
        name: "event", argument: "EVENT", doc: "end the signal instead: completed, failed or interrupted",
        kind: .word(ServerLine.endings)),
      Option(name: "code", argument: "CODE", doc: "the code of --event failed"),
      Option(name: "message", argument: "TEXT", doc: "the message of --event failed"),
      Option(
        name: "message-id", argument: "ID", doc: "sent again with the same ID, it does nothing more (durable graphs)"),
      Option(
        name: "reliable", doc: "send each value again until it is answered, over lost connections (durable graphs)"),
      Option(name: "timeout", argument: "DURATION", doc: "with --reliable: give up after this long, with status 75"),
    ],
    examples: [
      Example(#"signalbox send climate.raw '{"unit":"C","value":31}'"#, "send an object"),
      Example("signalbox send --string hello.name Ada", "send a string"),
      Example("sensors --json-lines | signalbox send climate.raw -", "send every line of a program"),
      Example("signalbox send --event completed jobs.queue", "end an input that is endable"),
      Example("meter --json-lines | signalbox send --reliable meter.readings -", "lose none, double none"),
      Example(#"signalbox send --message-id "order-$number" shop.orders "$order""#, "send again without fear"),
    ]
  ) { invocation throws(CommandError) in
    let operands = try invocation.operands(1...Int.max)
    let values = Array(operands.dropFirst())
    let ending = try ending(invocation)
    if ending != nil && !values.isEmpty { throw .usage("an ending comes without values") }
    if ending == nil && values.isEmpty {
      throw .usage("a VALUE is missing, or - for standard input; see signalbox send --help")
    }
    let messageID = try messageID(invocation)
    if messageID != nil && (values.count > 1 || values == ["-"]) {
      throw .usage("--message-id names one message: give one VALUE with it")
    }
    if invocation.has("reliable") {
      if ending != nil { throw .usage("an ending cannot be --reliable: it has no message id") }
      return try ReliableSender(invocation, signal: operands[0], messageID: messageID).send(values)
    }
    if invocation.has("timeout") { throw .usage("--timeout goes with --reliable") }
    let sender = Sender(
      try invocation.connect(), signal: operands[0], isText: invocation.has("string"), messageID: messageID)
    if let ending {
      sender.send(ending)
    } else if values == ["-"] {
      try sender.sendStandardInput()
    } else {
      for value in values { sender.send(text: Array(value.utf8)) }
    }
    try sender.finish()
  }

  private static func messageID(_ invocation: Invocation) throws(CommandError) -> MessageID? {
    guard let text = invocation.text("message-id") else { return nil }
    guard let messageID = MessageID(text) else {
      throw .usage("--message-id takes 1 to \(MessageID.longest) bytes, not \(text.utf8.count)")
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
