internal import JSON
internal import WireProtocol

extension Route {
  static let sendToSignal = Route(
    methods: ["PUT", "POST"], path: "/signals/{name}", summary: "Send a value to a signal.",
    parameters: [.header("Idempotency-Key", "idempotency key: a repeated one is accepted once; for durable graphs")],
    body: Body(type: "application/json", doc: "the value; a string with the type text/plain"),
    answers: [
      Answer(status: 200, doc: "the value has been emitted", type: "application/json"),
      Answer(
        status: 202, doc: "the value was accepted, and dropped by the pipe of the input", type: "application/json"),
    ],
    problems: ["unknown_signal", "not_an_input", "bad_value", "ended", "denied", "bad_json", "storage"]
  ) { call throws(Problem) in
    try call.grant.requireSend(call.name)
    if call.request.header("If-Match") != nil || call.request.header("If-Unmodified-Since") != nil {
      throw Problem(400, ErrorCode.badRequest.rawValue, "If-Match is not supported when sending a value")
    }
    try call.send(try call.value(), to: call.name, messageID: call.request.header("Idempotency-Key"))
  }
}

extension RouteCall {
  /// Sends a value and responds with its sequence number.
  ///
  /// - Parameter mayDiscard: True to send it without its message id if the signal is not durable.
  func send(_ value: JSONValue, to signal: String, messageID: String?, mayDiscard: Bool = false) throws(Problem) {
    var request = SendRequest(signal: signal, value: .value(value))
    if let messageID {
      guard let id = MessageID(messageID) else {
        throw .badParameter("Idempotency-Key", messageID, MessageID.expectation)
      }
      request.messageID = id
    }
    let refusal = { (line: ServerLine) throws(Problem) in
      guard mayDiscard, messageID != nil, line.message.hasPrefix(SendRequest.messageIDIsForDurable) else {
        throw Problem(line)
      }
      try self.send(value, to: signal, messageID: nil)
    }
    try ask(request, orElse: refusal) { answer throws(Problem) in
      var reply: JSONObject = ["signal": .string(signal), "seq": answer["seq"]?.value ?? .null]
      if answer["duplicate"] != nil { reply["duplicate"] = true }
      self.respond(answer.number("seq") == nil ? 202 : 200, .object(reply))
    }
  }
}
