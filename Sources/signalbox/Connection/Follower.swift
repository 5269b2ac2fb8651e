internal import JSON
internal import WireProtocol

/// Subscribes and prints what comes, until nothing more can come.
final class Follower {
  private let output: Output
  private let connection: Connection
  private let requests: [SubscribeRequest]
  private let isJSON: Bool
  private let isRaw: Bool
  /// Whether values are printed without their signals' names.
  private let isBare: Bool
  private var nameWidth: Int
  /// Subscriptions that something can still come from.
  private var live: Int
  private var firstFailure: CommandError?

  init(_ invocation: Invocation, _ requests: [SubscribeRequest]) throws(CommandError) {
    output = invocation.output
    connection = try invocation.connect()
    self.requests = requests
    isJSON = invocation.isJSON
    isRaw = invocation.has("raw")
    isBare = !output.isForPeople && requests.count == 1 && requests[0].signal.isName
    nameWidth = requests.map(\.signal.text.count).max() ?? 0
    live = requests.count
  }

  func run() throws(CommandError) {
    for request in requests { try connection.send(request) }
    while live > 0, let line = try connection.next() {
      switch line.kind {
      case .reply: try takeReply(line)
      case .event("next"): printValue(line)
      case .event(let event): takeEvent(event, line)
      }
      try output.flushIfLarge()
    }
    if let firstFailure { throw firstFailure }
  }

  /// A subscription that is refused ends all: who asked for several would not notice that one is missing.
  private func takeReply(_ line: ServerLine) throws(CommandError) {
    if let failure = line.failure { throw failure }
    let names = line.objects("signals").map { $0.text("signal").count }
    nameWidth = max(nameWidth, names.max() ?? 0)
  }

  private func printValue(_ line: ServerLine) {
    if isJSON { return }
    let value = ValueText.bytes(line["value"], isRaw: isRaw)
    let time = line.string("at")
    if isBare { return output.line(time.map { Array("\($0)\t".utf8) + value } ?? value) }
    let name = line.string("signal") ?? ""
    let cells = output.isForPeople ? padded(name) + "  " : name + "\t"
    let separator = output.isForPeople ? "  " : "\t"
    output.line(Array(((time.map { $0 + separator } ?? "") + cells).utf8) + value)
  }

  private func padded(_ name: String) -> String {
    nameWidth = max(nameWidth, name.count)
    return name + String(repeating: " ", count: nameWidth - name.count)
  }

  private func takeEvent(_ event: String, _ line: ServerLine) {
    let signal = line.string("signal") ?? ""
    switch event {
    case "completed":
      note("\(signal) has completed")
      if isNamed(signal) { end(nil) }
    case "failed":
      note("\(signal) has failed: \(line.message)")
      if isNamed(signal) { end(CommandError(.failed, nil)) }
    case "interrupted":
      let reason = line.string("reason")
      note("\(signal.isEmpty ? "the connection" : signal) was interrupted\(reason.map { ": \($0)" } ?? "")")
      if isNamed(signal) || signal.isEmpty { end(CommandError(Self.status(reason), nil)) }
    case "lagged": note("\(signal): \(line.number("dropped") ?? 0) values are missing here")
    case "ended": end(nil)
    default: break
    }
  }

  private static func status(_ reason: String?) -> ExitStatus {
    switch reason {
    case "removed": .unknown
    case "denied": .denied
    case "shutting_down", "slow": .unreachable
    default: .failed
    }
  }

  private func isNamed(_ signal: String) -> Bool { requests.contains { $0.signal.isName && $0.signal.text == signal } }

  private func end(_ failure: CommandError?) {
    live -= 1
    if firstFailure == nil { firstFailure = failure }
  }

  private func note(_ text: String) {
    if isJSON { return }
    try? output.flush()
    printError("signalbox: \(text)")
  }
}
