internal import Linux
internal import WireProtocol

extension Command {
  static let top = Command(
    name: "top", operands: "[PATTERN]", kinds: [.listed(.signal)], summary: "monitor the activity of signals",
    details: """
      A table of all signals, or those that match a pattern, the busiest first: values per second, the mean latency from
      a client's line to the last subscriber's socket, subscribers, and the number of values; values rejected by
      expressions (ERRORS), dropped at a bound (DROPPED) and missed by slow clients (LOST), values that wait for calls of
      actions (WAITING), since when the oldest does (OLDEST), and the last failure of a call or of a source on the network
      (FAILURE). A line is bold while one of
      these three grows. The arrow and page keys scroll and select the sort column, r reverses the order, / filters by
      name, q or Ctrl-C quits. In a pipe, prints one table for one interval. For root, the daemon's user and the users
      in server.access.stats.
      """,
    options: [
      Option(name: "every", argument: "DURATION", doc: "refresh interval (1s)"),
      Option(
        name: "sort", argument: "COLUMN",
        doc: "sort column: signal, values/s (default), latency, subscribers and others",
        kind: .word(TopOrder.names)),
      Option(name: "reverse", letter: "r", doc: "sort in ascending order"),
    ],
    examples: [
      Example("sudo signalbox top", "all signals, every second"),
      Example("sudo signalbox top --every 10s 'climate.*' | cut -f1,2", "one sample of ten seconds"),
    ]
  ) { invocation throws(CommandError) in
    let pattern: SignalPattern? =
      if let text = try invocation.operands(0...1).first { try invocation.pattern(text) } else { nil }
    let interval: Interval? = try invocation.option("every")
    let monitor = try Monitor(
      invocation, pattern: pattern, interval: interval?.duration ?? .seconds(1), order: try order(invocation))
    if invocation.output.isForPeople, CurrentProcess.environment("TERM") != "dumb" {
      try monitor.watch()
    } else {
      try monitor.printOnce()
    }
  }

  private static func order(_ invocation: Invocation) throws(CommandError) -> TopOrder {
    let name = invocation.text("sort")
    guard var order = name.map(TopOrder.init) ?? TopOrder() else {
      throw .usage("--sort must be one of \(TopOrder.names.joined(separator: ", ")), not \(name ?? "")")
    }
    order.isReversed = invocation.has("reverse")
    return order
  }
}
