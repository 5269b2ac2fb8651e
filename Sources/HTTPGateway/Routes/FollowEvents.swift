internal import WireProtocol

extension Route {
  static let followEvents = Route(
    methods: ["GET"], path: "/events", summary: "Follow the events of signals (Server-Sent Events).",
    parameters: [
      .field("signal", of: SubscribeRequest.self, isRepeated: true),
      .field("where", of: SubscribeRequest.self),
      .field("every", of: SubscribeRequest.self),
      .field("replay", of: SubscribeRequest.self),
      .field("overflow", of: SubscribeRequest.self),
      .header("Last-Event-ID", "the id of the last received event: the stream resumes after it"),
    ],
    answers: [
      Answer(
        status: 200,
        doc: "a message for each value; lagged, completed, failed, interrupted, subscribed, renewed, expired, "
          + "disconnected, connected, unresumable and refused are events of their own",
        type: EventFrame.mediaType),
      Answer(status: 204, doc: "all signals have ended: do not reconnect"),
    ],
    problems: ["unknown_signal", "denied", "bad_request", "too_many"]
  ) { call throws(Problem) in
    let texts = call.request.parameters("signal")
    guard texts.count <= EventSelection.mostPatterns else {
      throw Problem(400, ErrorCode.badRequest.rawValue, "a stream has at most \(EventSelection.mostPatterns) patterns")
    }
    var patterns: [SignalPattern] = []
    for text in texts {
      let pattern = try call.pattern(text, "signal")
      if pattern.isName { try call.grant.requireRead(text) }
      if patterns.contains(pattern) {
        throw Problem(400, ErrorCode.badRequest.rawValue, "duplicate signal \(text.quoted)")
      }
      patterns.append(pattern)
    }
    var selection = EventSelection(patterns: patterns)
    selection.where = try call.parameter("where")
    selection.every = try call.parameter("every")
    selection.replay = try call.parameter("replay")
    selection.overflow = try call.parameter("overflow")
    if selection.overflow == .block {
      throw Problem(
        400, ErrorCode.badRequest.rawValue, "\"overflow\" must not be \"block\" here: a browser could stall senders"
      )
    }
    let last = call.request.header("Last-Event-ID").flatMap { EventPosition($0, sections: patterns.count) }
    EventStream(call, selection, from: last).connect()
  }
}
