internal import CivilTime
internal import HTTPServer
internal import JSON
internal import WireProtocol

extension Route {
  static let getSignal = Route(
    methods: ["GET"], path: "/signals/{name}",
    summary: "Tells the value of a signal, at once or when it has changed.",
    parameters: [
      .query("wait", "how long to wait for a value other than that of If-None-Match; \(Interval.expectation)"),
      .field("where", of: SubscribeRequest.self),
      .header("If-None-Match", "the ETag of the value that is known"),
    ],
    answers: [
      Answer(
        status: 200, doc: "the value; ETag is its epoch and its number, Signal-Time when it came",
        type: "application/json"),
      Answer(status: 304, doc: "the value is the one that is known"),
    ],
    problems: ["unknown_signal", "no_value", "denied"]
  ) { call throws(Problem) in
    try call.grant.requireRead(call.name)
    let look = try SignalLook(call)
    try look.begin()
  }
}

/// A look at one signal, which may last until there is something new to see.
private final class SignalLook {
  private let call: RouteCall
  private let wait: Interval?
  private let condition: String?
  private let known: [String]
  private var epoch = ""
  /// The newest value that has come.
  private var value: (line: ServerLine, tag: String)?
  /// Whether all that the signal held has come.
  private var isCaughtUp = false

  /// The longest wait: proxies in between have no more patience.
  private static let longestWait = Duration.seconds(300)

  init(_ call: RouteCall) throws(Problem) {
    self.call = call
    wait = try call.parameter("wait")
    condition = try call.parameter("where")
    known = call.request.headers("If-None-Match")
      .flatMap { $0.split(separator: ",") }.map { String($0.drop { $0 == " " }).withoutWeakness }
    if let wait, wait.duration > Self.longestWait { throw .badParameter("wait", wait.text, "300s or less") }
  }

  func begin() throws(Problem) {
    // A cold signal begins to run for a subscriber, so who does not wait asks for what is there.
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
      if let wait = self.wait { self.call.after(wait.duration) { self.finish() } }
    }
    // Its answer comes after all that the signal holds.
    try call.ask(PingRequest()) { (_) throws(Problem) in
      self.isCaughtUp = true
      if self.wait == nil || self.isNews { self.finish() }
    }
  }

  private var isNews: Bool {
    guard let value else { return false }
    return !known.contains(value.tag) && !known.contains("*")
  }

  private func take(_ line: ServerLine) throws(Problem) {
    switch line.kind {
    case .event("next"):
      value = (line, "\"\(epoch)-\(line.number("seq") ?? 0)\"")
      if isCaughtUp && isNews { finish() }
    case .event("renewed"): epoch = line.string("epoch") ?? epoch
    case _ where line.isEnding:
      // There will be no other value.
      if isCaughtUp || value == nil { finish(end: line) }
    default: break
    }
  }

  /// Answers with what is there.
  private func finish(end: ServerLine? = nil) {
    guard let value else {
      let why =
        end != nil
        ? "has ended without one" : condition != nil ? "holds none for which \"where\" is true" : "holds none"
      return call.respond(Problem(404, ErrorCode.noValue.rawValue, "the signal \(call.name.quoted) \(why)"))
    }
    var headers: [HTTPResponse.Header] = [("ETag", value.tag), ("Cache-Control", "no-cache")]
    if !isNews { return call.respond(HTTPResponse(304, headers: headers)) }
    headers.append(("Content-Type", "application/json"))
    if let time = value.line.string("at") { headers.append(("Signal-Time", time)) }
    call.respond(HTTPResponse(200, headers: headers, body: (value.line["value"]?.bytes ?? []) + [UInt8(ascii: "\n")]))
  }
}

extension String {
  fileprivate var withoutWeakness: String { hasPrefix("W/") ? String(dropFirst(2)) : self }
}
