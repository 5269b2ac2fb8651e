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
    let condition = try condition(for: signal)
    if condition == nil { request.take = Count(1) }
    let connection = try invocation.connect()
    try connection.send(request)
    while let line = try connection.next(until: deadline) {
      if let failure = line.failure { throw failure }
      switch line.kind {
      case .event("next") where condition.map { line["value"].map(\.value).map($0.holds) ?? false } ?? true:
        let name = request.signal.isName ? "" : "\(line.string("signal") ?? "")\t"
        let text = Array(name.utf8) + ValueText.bytes(line["value"], isRaw: isRaw)
        if invocation.isJSON { return }
        return request.signal.isName ? invocation.output.value(text) : invocation.output.line(text)
      case .event("failed") where request.signal.isName:
        throw CommandError(.failed, "\(signal) has failed: \(line.message)")
      case .event("completed") where request.signal.isName, .event("interrupted") where request.signal.isName:
        throw CommandError(.failed, "\(signal) has ended without such a value")
      default: break
      }
    }
    throw CommandError(.notYet, "\(signal): no such value in time")
  }

  private func condition(for signal: String) throws(CommandError) -> WhereClause? {
    guard let source = invocation.text("where") else { return nil }
    return try WhereClause(source, signal: signal)
  }
}
