internal import Journal
internal import Persistence
internal import SignalGraph
internal import WireProtocol

extension Command {
  static let history = Command(
    name: "history", operands: "[SIGNAL|PATTERN…]", kinds: [.listed(.signal)],
    summary: "print what entered durable graphs",
    details: """
      Prints the values and endings that were sent to them, what came from other graphs, files and programs, and restarts,
      in the lines that simulate reads and that a test is written from. It goes back as far as the graphs keep their
      past, by "history" in their "durable"; without that, to the newest snapshot. It reads the folder beside a running
      daemon, or without one, as signalbox state does.

      Values that were sent have no "seq" and go through the pipe of their signal again; the others have, and stand behind
      it. A simulation begins with nothing: what the graphs remembered at the first line is not in the lines.

      With --test it prints that time as a test, which goes under "tests" of its graph: what inputs held is given first,
      what entered are the steps, and what the signals emitted is expected. Without a pattern these are all public signals
      of the only durable graph that emitted something. Signals of other graphs, of programs and of files become "stubs"
      of the test, and so do intervals that do not tick by themselves as they did.

      A test begins with a fresh graph. It is tried before it is printed, and if it does not give what was recorded, the
      next one begins with more of what entered before. If none does, the first difference is told and the status is 1:
      the graph remembered something from before all that is kept, or the time of day is in its values.
      """,
    options: [
      Command.Option(name: "test", argument: "NAME", doc: "print a test of that name"),
      Command.Option(
        name: "since", argument: "TIME", doc: "from then on: a moment such as 2026-05-01T12:00:00Z, or so long ago"),
      Command.Option(name: "until", argument: "TIME", doc: "up to then: a moment, or so long ago"),
    ] + StateLocation.options,
    isOffline: true,
    examples: [
      Example("sudo signalbox history --since 2h 'climate.*'", "the last two hours"),
      Example(
        "sudo signalbox history --since 24h 'climate.*' | signalbox simulate new.yaml",
        "what would have come of them under another configuration"),
      Example(
        "sudo signalbox history --test 'a false alarm' --since 2026-11-22T12:00:00Z --until 2026-11-22T12:00:10Z",
        "ten seconds as a test"),
    ]
  ) { invocation throws(CommandError) in
    let name = invocation.text("test")
    let operands = try invocation.operands((name == nil ? 1 : 0)...Int.max)
    var patterns: [SignalPattern] = []
    for text in operands { patterns.append(try invocation.pattern(text)) }
    let since = try invocation.moment("since")
    let until = try invocation.moment("until")
    guard since ?? .min <= until ?? .max else { throw .usage("--since is after --until") }
    let location = try StateLocation(invocation)
    if let name {
      let request = HistoryTest.Request(
        name: name, since: since, until: until,
        patterns: patterns.map { pattern in
          HistoryTest.Pattern(text: pattern.text, isName: pattern.isName) { pattern.matches($0) }
        })
      return try tellTest(request, location, invocation)
    }
    try tellLines(patterns, (since ?? .min)...(until ?? .max), location, invocation)
  }

  private static func tellTest(
    _ request: HistoryTest.Request, _ location: StateLocation, _ invocation: Invocation
  ) throws(CommandError) {
    let folder = try location.access { path throws(StorageError) in try FolderReader(path) }
    do throws(HistoryTest.Refusal) {
      for line in try HistoryTest(request, from: folder).lines { invocation.output.line(line) }
    } catch {
      switch error {
      case .storage(let error): throw location.failure(error)
      case .unknown(let pattern, let names): throw .unknown(pattern, amongDurable: names)
      case .vague(let message): throw .usage(message)
      case .untellable(let message): throw CommandError(.failed, message)
      }
    }
  }

  private static func tellLines(
    _ patterns: [SignalPattern], _ times: ClosedRange<Int64>, _ location: StateLocation, _ invocation: Invocation
  ) throws(CommandError) {
    var history = try location.access { path throws(StorageError) in
      History(of: try FolderReader(path), in: times) { name in patterns.contains { $0.matches(name) } }
    }
    for part in try location.translating({ () throws(StorageError) in try history.parts() }) {
      for line in try location.translating({ () throws(StorageError) in try history.lines(behind: part) }) {
        invocation.output.line(line)
        try invocation.output.flushIfLarge()
      }
    }
    for pattern in patterns where !history.names.contains(where: pattern.matches) {
      throw .unknown(pattern.text, amongDurable: history.names)
    }
  }
}
