internal import HTTPServer
internal import JSON
internal import WireProtocol

extension Route {
  static let sendToSignal = Route(
    methods: ["PUT", "POST"], path: "/signals/{name}", summary: "Sends a value into an input.",
    parameters: [.header("Idempotency-Key", "sent again with the same one, it does nothing more; for durable graphs")],
    body: Body(type: "application/json", doc: "the value; with the type text/plain a text"),
    answers: [
      Answer(status: 200, doc: "the value has its number", type: "application/json"),
      Answer(
        status: 202, doc: "the value was taken, and the input's own pipe let nothing through", type: "application/json"),
    ],
    problems: ["unknown_signal", "not_an_input", "bad_value", "ended", "denied", "bad_json", "storage"]
  ) { call throws(Problem) in
    try call.grant.requireSend(call.name)
    if call.request.header("If-Match") != nil || call.request.header("If-Unmodified-Since") != nil {
      throw Problem(400, ErrorCode.badRequest.rawValue, "a value is sent without conditions: leave If-Match out")
    }
    try call.send(try call.value(), to: call.name, messageID: call.request.header("Idempotency-Key"))
  }
}

extension RouteCall {
  /// Sends a value, and answers with its number.
  ///
  /// - Parameter mayForget: Whether it is sent without its name where nothing would remember that.
  func send(_ value: JSONValue, to signal: String, messageID: String?, mayForget: Bool = false) throws(Problem) {
    var request = SendRequest(signal: signal, value: .value(value))
    if let messageID {
      guard let id = MessageID(messageID) else {
        throw .badParameter("Idempotency-Key", messageID, MessageID.expectation)
      }
      request.messageID = id
    }
    let refusal = { (line: ServerLine) throws(Problem) in
      guard mayForget, messageID != nil, line.message.hasPrefix(SendRequest.messageIDIsForDurable) else {
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
