internal import Linux
internal import WireProtocol

extension Command {
  static let watch = Command(
    name: "watch", operands: "SIGNAL|PATTERN…", kinds: [.listed(.subscribable)],
    summary: "watch the values of signals in place",
    details: """
      One line a signal: its newest value, how old that is, how many come in a second, and, for numbers and booleans, a
      curve of the last ones, one step for each --every. It outlives the daemon: what was there last stays, and the first
      line says that it is old. The arrows and page keys scroll, q or ctrl-C ends. Where standard output is no terminal,
      prints one table after --every.
      """,
    options: [
      Option(name: "every", argument: "DURATION", doc: "how often the figures and curves go on (1s)"),
      ValueText.option,
    ],
    examples: [
      Example("signalbox watch 'climate.*'", "a graph at a glance"),
      Example("signalbox watch --every 100ms machine.load '*.alarm'", "several, in short steps"),
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
