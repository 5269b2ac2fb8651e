internal import Linux
internal import WireProtocol

extension Command {
  static let watch = Command(
    name: "watch", operands: "SIGNAL|PATTERN…", kinds: [.listed(.subscribable)],
    summary: "show the current values of signals, live",
    details: """
      One line per signal: its newest value, its age, the rate, and, for numbers and booleans, a curve of recent values,
      one step per --every. Without the daemon, the last values stay, and the first line says so. The arrow and page
      keys scroll, q or Ctrl-C quits. In a pipe, prints one table after --every.
      """,
    options: [
      Option(name: "every", argument: "DURATION", doc: "interval of rates and curves (1s)"),
      ValueText.option,
    ],
    examples: [
      Example("signalbox watch 'climate.*'", "a graph at a glance"),
      Example("signalbox watch --every 100ms machine.load '*.alarm'", "several signals, at a short interval"),
    ]
  ) { invocation throws(CommandError) in
    var patterns: [SignalPattern] = []
    var texts: Set<String> = []
    for text in try invocation.operands(1...Int.max) where texts.insert(text).inserted {
      patterns.append(try invocation.pattern(text))
    }
    let interval: Interval? = try invocation.option("every")
    let watcher = Watcher(invocation, patterns, interval: interval?.duration ?? .seconds(1))
    if invocation.output.isForPeople, CurrentProcess.environment("TERM") != "dumb" {
      try watcher.watch()
    } else {
      try watcher.printOnce()
    }
  }
}
