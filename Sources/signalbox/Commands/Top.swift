internal import Linux
internal import WireProtocol

extension Command {
  static let top = Command(
    name: "top", operands: "[PATTERN]", kinds: [.listed(.signal)], summary: "watch how busy the signals are",
    details: """
      A table of all signals, or those of a pattern, the busiest first: values a second, the mean time from a client's line
      until every subscriber has been written to, subscribers, and values so far; how many an expression has refused
      (ERRORS), a bound has cost (DROPPED) and slow clients have missed (LOST). A line is bold while the last three grow.
      The arrows and page keys scroll and choose the column to sort by, r reverses the order, / filters by a part of the
      names, q or ctrl-C ends. Where standard output is no terminal, prints one table of what happened in one interval. For
      root, the daemon's own user and those whom server.access.stats names.
      """,
    options: [
      Option(name: "every", argument: "DURATION", doc: "how often to look (1s)"),
      Option(
        name: "sort", argument: "COLUMN", doc: "by signal, values/s (default), latency, subscribers, and so on",
        kind: .word(TopOrder.names)),
      Option(name: "reverse", letter: "r", doc: "the least first"),
    ],
    examples: [
      Example("sudo signalbox top", "all signals, every second"),
      Example("sudo signalbox top --every 10s 'climate.*' | cut -f1,2", "what a graph carries in ten seconds, once"),
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
