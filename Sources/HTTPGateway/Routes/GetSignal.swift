internal import Base
internal import JSON
internal import WireProtocol

extension Route {
  static let getSignal = Route(
    methods: ["GET"], path: "/signals/{name}",
    summary: "Return the value of a signal, at once or after a change.",
    parameters: [
      .query("wait", "time to wait for a value other than that of If-None-Match; \(Interval.expectation)"),
      .field("where", of: SubscribeRequest.self),
      .header("If-None-Match", "the ETag of the known value"),
    ],
    answers: [
      Answer(
        status: 200, doc: "the value; ETag is its epoch and sequence number, Signal-Time its time",
        type: "application/json"),
      Answer(status: 304, doc: "the value is unchanged"),
    ],
    problems: ["unknown_signal", "no_value", "denied"]
  ) { call throws(Problem) in
    try call.grant.requireRead(call.name)
    let look = try SignalLook(call)
    try look.begin()
  }
}

/// A request for the value of one signal, which may wait for a new one.
private final class SignalLook {
  private let call: RouteCall
  private let wait: Interval?
  private let condition: String?
  private let known: [String]
  private var epoch = ""
  /// The newest value received.
  private var value: (line: ServerLine, tag: String)?
  /// True for a signal whose values have not begun: any that comes is new.
  ///
  /// The numbers of a cold signal begin again with each subscription, and so its tags.
  private var isBeginning = false
  /// True once all retained values have been received.
  private var isCaughtUp = false
  /// True once there will be no other value.
  private var hasEnded = false

  /// The longest wait: proxies in between time out beyond that.
  private static let longestWait = Duration.seconds(300)

  init(_ call: RouteCall) throws(Problem) {
    self.call = call
    wait = try call.parameter("wait")
    condition = try call.parameter("where")
    known = call.request.knownTags
    if let wait, wait.duration > Self.longestWait { throw .badParameter("wait", wait.text, "300s or less") }
  }

  func begin() throws(Problem) {
    // A cold signal starts a run for a subscriber, so a request without a wait uses `get`.
    if wait != nil {
      call.exchange.endsWithClient = true
      return try subscribe()
    }
    try call.ask(GetRequest(signal: call.name)) { (_) throws(Problem) in try self.subscribe() }
  }

  private func subscribe() throws(Problem) {
    guard let name = SignalPattern(call.name), name.isName else { throw .unknownSignal(call.name) }
    var request = SubscribeRequest(signal: name)
    request.replay = 1
    request.timestamps = true
    request.where = condition
    call.event = { line throws(Problem) in try self.take(line) }
    try call.ask(request) { answer throws(Problem) in
      self.epoch = answer.string("epoch") ?? ""
      self.isBeginning = answer.objects("signals").first?.number("seq") == 0
      if let wait = self.wait { self.call.after(wait.duration) { self.finish() } }
    }
    // The answer follows all retained values.
    try call.ask(PingRequest()) { (_) throws(Problem) in
      self.isCaughtUp = true
      if self.wait == nil || self.isNews || self.hasEnded { self.finish() }
    }
  }

  private var isNews: Bool {
    guard let value else { return false }
    if isBeginning { return true }
    return !known.contains(value.tag) && !known.contains("*")
  }

  private func take(_ line: ServerLine) throws(Problem) {
    switch line.kind {
    case .event("next"):
      value = (line, "\"\(epoch)-\(line.number("seq") ?? 0)\"")
      if isCaughtUp && isNews { finish() }
    case .event("renewed"): epoch = line.string("epoch") ?? epoch
    case _ where line.isTemporaryEnding: throw .unavailable("it was stopped or replaced")
    case _ where line.isEnding:
      hasEnded = true
      if isCaughtUp || value == nil { finish(end: line) }
    default: break
    }
  }

  /// Responds with the newest value.
  private func finish(end: ServerLine? = nil) {
    guard let value else {
      let why =
        end != nil
        ? "ended without a value" : condition != nil ? "holds no value that matches \"where\"" : "holds none"
      return call.respond(Problem(404, ErrorCode.noValue.rawValue, "the signal \(call.name.quoted) \(why)"))
    }
    var headers: [HTTPResponse.Header] = [("ETag", value.tag), ("Cache-Control", "no-cache")]
    if !isNews { return call.respond(HTTPResponse(304, headers: headers)) }
    headers.append(("Content-Type", "application/json"))
    if let time = value.line.string("at") { headers.append(("Signal-Time", time)) }
    call.respond(HTTPResponse(200, headers: headers, body: (value.line["value"]?.bytes ?? []) + [UInt8(ascii: "\n")]))
  }
}
