internal import JSON
internal import Linux
internal import WireProtocol

/// Waits for a value of a signal.
struct Waiter {
  static let options = [
    Command.Option(name: "where", argument: "EXPR", doc: "for a value for which this jq expression is true"),
    Command.Option(name: "timeout", letter: "t", argument: "DURATION", doc: "no longer than this: 500ms, 10s, 1m30s"),
  ]

  private let invocation: Invocation
  private let deadline: MonotonicInstant?

  init(_ invocation: Invocation) throws(CommandError) {
    self.invocation = invocation
    deadline = try invocation.deadline("timeout")
  }

  /// Prints the first value that fits.
  func wait(for signal: String, isRaw: Bool) throws(CommandError) {
    var request = SubscribeRequest(signal: try invocation.pattern(signal))
    request.where = invocation.text("where")
    request.take = Count(1)
    let connection = try invocation.connect()
    try connection.send(request)
    while let line = try connection.next(until: deadline) {
      if let failure = line.failure { throw failure }
      switch line.kind {
      case .event("next"):
        let text = ValueText.bytes(line["value"], isRaw: isRaw)
        if !invocation.isJSON { invocation.output.line(text) }
        return
      case .event("failed") where request.signal.isName:
        throw CommandError(.failed, "\(signal) has failed: \(line.message)")
      case .event("completed") where request.signal.isName, .event("interrupted") where request.signal.isName:
        throw CommandError(.failed, "\(signal) has ended without such a value")
      default: break
      }
    }
    throw CommandError(.notYet, "\(signal): no such value in time")
  }
}
