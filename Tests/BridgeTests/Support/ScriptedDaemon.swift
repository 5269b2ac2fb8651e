import JSON
import Linux
import TestSupport
import Testing

@testable import Bridge

/// The daemon's side of the adapter protocol as a test wants it, and a bridge that is attached to it, on one loop.
final class ScriptedDaemon {
  let loop: EventLoop
  let socket: String
  private(set) var bridge: Bridge?
  private let folder = TemporaryFolder()
  private var listener: UnixListener
  private var listening: EventSource?
  private var client: OwnedDescriptor?
  private var reading: EventSource?
  private var bytes: [UInt8] = []
  private var lines: [JSONObject] = []
  private let log: RecordedLog
  private var nextTask = 1

  struct NoLine: Error { let wanted: String, instead: [JSONValue] }

  /// - Parameter startsBridge: False where the test starts a bridge of its own.
  init(startsBridge: Bool = true) throws {
    BrokenPipes.fail
    loop = try EventLoop()
    socket = folder("socket")
    listener = try UnixListener(path: socket, mode: 0o600)
    log = RecordedLog()
    listening = try loop.addInput(listener.descriptor.number) { [unowned self] in accept() }
    if startsBridge {
      let bridge = try Bridge(BridgeSettings(socket: socket), loop: loop, log: Log(sink: log))
      bridge.start()
      self.bridge = bridge
    }
  }

  var messages: [String] { log.records.withLock { $0 } }

  private func accept() {
    guard let socket = try? listener.accept() else { return }
    let number = socket.number
    client = consume socket
    bytes = []
    reading = try? loop.addInput(number) { [unowned self] in read(number) }
  }

  private func read(_ number: Int32) {
    guard let more = try? Transfer(number).read(upTo: 1 << 20), !more.isEmpty else {
      reading = nil
      return
    }
    bytes += more
    while let end = bytes.firstIndex(of: UInt8(ascii: "\n")) {
      var parser = JSONParser()
      let line = Array(bytes[..<end])
      bytes.removeFirst(end + 1)
      guard case .object(let object)? = try? parser.value(of: line.span) else { continue }
      lines.append(object)
    }
  }

  // MARK: What a test does

  /// Ends the connection, as a daemon does that is restarted.
  func hangUp() {
    reading = nil
    client = nil
    lines = []
  }

  /// Runs the loop until something holds.
  func run(until holds: () -> Bool, _ wanted: String = "") throws {
    let deadline = MonotonicInstant.now() + .seconds(30)
    while !holds() {
      guard MonotonicInstant.now() < deadline else {
        throw NoLine(wanted: wanted, instead: lines.map { .object($0) })
      }
      try loop.runIteration(timeout: .milliseconds(20))
    }
  }

  /// Runs the loop for a while, to see that nothing comes.
  func run(for duration: Duration) throws {
    let deadline = MonotonicInstant.now() + duration
    while MonotonicInstant.now() < deadline { try loop.runIteration(timeout: .milliseconds(10)) }
  }

  func write(_ value: JSONValue) throws {
    let text = value.description + "\n"
    guard let number = client?.number else { throw NoLine(wanted: "a client", instead: []) }
    try Transfer(number).writeAll(text)
  }

  /// Returns the next line of an op; others before it stay.
  func next(_ op: String, where isWanted: (JSONObject) -> Bool = { _ in true }) throws -> JSONObject {
    var place: Int?
    try run(
      until: {
        place = lines.firstIndex { $0.string("op") == op && isWanted($0) }
        return place != nil
      }, op)
    return lines.remove(at: place ?? 0)
  }

  /// Returns the lines of an op that are here.
  func all(_ op: String) -> [JSONObject] { lines.filter { $0.string("op") == op } }

  /// Answers the pings that are here.
  func answerPings() {
    let pings = all("ping")
    lines.removeAll { $0.string("op") == "ping" }
    for ping in pings { try? write(["reply": "ping", "id": ping["id"] ?? .null]) }
  }

  /// Takes the bridge with these declarations.
  func attach(_ connections: [JSONValue], _ declarations: [JSONValue] = []) throws {
    try welcome()
    let attach = try next("attach")
    try write([
      "reply": "attach", "id": attach["id"] ?? .null, "connections": .array(connections),
      "declarations": .array(declarations),
    ])
  }

  private func welcome() throws {
    let hello = try next("hello")
    try write(["reply": "hello", "id": hello["id"] ?? .null, "limits": ["line": 1_048_576]])
  }

  /// Refuses the bridge.
  func refuse(_ code: String) throws {
    try welcome()
    let attach = try next("attach")
    try write([
      "reply": "error", "op": "attach", "id": attach["id"] ?? .null,
      "error": ["code": .string(code), "message": "not you"],
    ])
  }

  /// Gives a task, and returns its number.
  ///
  /// - Parameter number: The number; `nil` for the next one.
  @discardableResult
  func give(
    _ request: JSONValue, connection: String = "api", number: Int? = nil, key: String? = nil, deadline: Double? = nil
  ) throws -> Int {
    let number = number ?? nextTask
    nextTask = max(nextTask, number) + 1
    var task: JSONObject = [
      "event": "task", "task": .number(Double(number)), "signal": "g.notify", "role": "action",
      "connection": .string(connection), "value": 1, "request": request, "attempt": 1,
      "key": .string(key ?? "key-\(number)"),
    ]
    if let deadline { task["deadline"] = .number(deadline) }
    try write(.object(task))
    return number
  }

  /// Returns the acknowledgement of a task.
  func acknowledgement(of task: Int) throws -> JSONObject {
    try next("acknowledge") { $0.integer("task") == task }
  }

  /// Returns the next value of a source, and answers it.
  func value(answering: Bool = true) throws -> JSONObject {
    let value = try next("send") { $0["event"] == nil }
    if answering { try answer(value) }
    return value
  }

  func answer(_ send: JSONObject, refusedBy code: String? = nil) throws {
    guard let code else { return try write(["reply": "send", "id": send["id"] ?? .null]) }
    try write([
      "reply": "error", "op": "send", "id": send["id"] ?? .null, "error": ["code": .string(code), "message": "no"],
    ])
  }
}

/// Keeps what a bridge logs.
final class RecordedLog: LogSink, Sendable {
  let records = Monitor<[String]>([])

  func write(_ record: LogRecord) { records.withLock { $0.append(record.message) } }
}

extension ScriptedDaemon {
  /// A connection by HTTP.
  static func http(_ url: String, name: String = "api", _ settings: JSONObject = JSONObject()) -> JSONValue {
    var all: JSONObject = ["url": .string(url), "timeout": 10]
    for member in settings.members { all[member.key] = member.value }
    return ["connection": .string(name), "kind": "http", "settings": .object(all)]
  }

  static func source(
    _ settings: JSONValue, signal: String = "g.status", connection: String = "api", position: String? = nil
  ) -> JSONValue {
    var source: JSONObject = [
      "signal": .string(signal), "role": "source", "kind": "http", "connection": .string(connection),
      "settings": settings,
    ]
    if let position { source["position"] = .string(position) }
    return .object(source)
  }
}
