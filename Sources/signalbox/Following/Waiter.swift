internal import Expressions
internal import JSON
internal import Linux
internal import WireProtocol

/// The wait for a value of a signal.
struct Waiter {
  static let options = [
    Command.Option(name: "where", argument: "EXPR", doc: "wait for a value that matches this jq expression"),
    Command.Option(name: "timeout", letter: "t", argument: "DURATION", doc: "timeout: 500ms, 10s, 1m30s"),
  ]

  private let invocation: Invocation
  private let deadline: MonotonicInstant?

  init(_ invocation: Invocation) throws(CommandError) {
    self.invocation = invocation
    deadline = try invocation.deadline("timeout")
  }

  /// Prints the first value that satisfies the condition.
  func wait(for signal: String, isRaw: Bool) throws(CommandError) {
    var request = SubscribeRequest(signal: try invocation.pattern(signal))
    var condition = try condition(for: signal)
    if condition == nil { request.take = Count(1) }
    let connection = try invocation.connect()
    try connection.send(request)
    while let line = try connection.next(until: deadline) {
      if let failure = line.failure ?? line.interruption { throw failure }
      switch line.kind {
      case .event("next") where condition?.accepts(line) ?? true:
        let name = request.signal.isName ? "" : "\(line.string("signal") ?? "")\t"
        let text = Array(name.utf8) + ValueText.bytes(line["value"], isRaw: isRaw)
        if invocation.isJSON { return }
        return request.signal.isName ? invocation.output.value(text) : invocation.output.line(text)
      case .event("failed") where request.signal.isName:
        throw CommandError(.failed, "\(signal) failed: \(line.message)")
      case .event("completed") where request.signal.isName, .event("interrupted") where request.signal.isName:
        throw CommandError(.failed, "\(signal) ended without a matching value\(condition?.failures ?? "")")
      default: break
      }
    }
    throw CommandError(.notYet, "\(signal): timed out without a matching value\(condition?.failures ?? "")")
  }

  private func condition(for signal: String) throws(CommandError) -> Condition? {
    guard let source = invocation.text("where") else { return nil }
    return Condition(try WhereClause(source, signal: signal))
  }

  /// A condition with the count of values that its expression failed on: those do not satisfy it, but an expression
  /// that fails on every value is probably wrong.
  private struct Condition {
    private let clause: WhereClause
    private var valueCount = 0
    private var failureCount = 0
    private var newest: String?

    init(_ clause: WhereClause) { self.clause = clause }

    mutating func accepts(_ line: ServerLine) -> Bool {
      guard let value = line["value"]?.value else { return false }
      valueCount += 1
      do throws(ExpressionError) {
        return try clause.holds(for: value)
      } catch {
        failureCount += 1
        if newest == nil {
          printError("signalbox: --where fails on a value of \(line.string("signal") ?? ""): \(error.message)")
        }
        newest = error.message
        return false
      }
    }

    /// The part of a message about failures; empty if there were none.
    var failures: String {
      guard let newest else { return "" }
      return "; the expression of --where failed on \(failureCount) of \(valueCount) values: \(newest)"
    }
  }
}
