internal import Linux
internal import Persistence
internal import StateLog
internal import WireProtocol

extension Command {
  static let history = Command(
    name: "history", operands: "[SIGNAL|PATTERN…]", kinds: [.listed(.signal)],
    summary: "print the inputs of durable graphs",
    details: """
      Prints the values and endings sent to the signals, or to those that match the patterns, the inputs from other
      graphs, files and programs, and restarts, as lines that simulate reads and tests are derived from. Reaches back as
      far as the graphs keep their history ("history" in their "durable"), otherwise to the newest snapshot. Reads the
      state folder, with or without a running daemon, as signalbox state does.

      Values that were sent have no "seq" and pass through the pipe of their signal again; the others have one, and
      enter after the pipe. A simulation starts without state: what the graphs remembered at the first line is not in
      the lines.

      With --test, prints that period as a test, for "tests" of its graph: held inputs are given first, then each input
      is a step, and the values of the signals are expected. Without a pattern, these are all public signals of the only
      durable graph that emitted something. Signals of other graphs, of programs and of files become "stubs" of the
      test, and so do intervals whose recorded ticks differ from their schedule.

      With --values, prints the values that these signals emitted instead of the inputs, the last of each interval of
      --step, with the values held at the beginning. The first line is {"event":"begin"} with the time from which on they are
      complete; "shortage" says why that is later than --since: "history" is not kept longer, or the "time" of --within
      was up, in which the log is replayed, the newest part first. {"event":"pause"} is a time without records, "until" a
      start of the daemon.

      A test starts with a fresh graph. It is verified before it is printed; if it does not reproduce the recording,
      earlier inputs are added until it does. If none suffice, the first difference is reported and the status is 1: the
      graph remembered something older than the retained history, or its values depend on the time of day.
      """,
    options: [
      Command.Option(name: "test", argument: "NAME", doc: "print a test with that name"),
      Command.Option(name: "values", doc: "print the values of signals instead of their inputs"),
      Command.Option(name: "step", argument: "DURATION", doc: "with --values: the last value of each such interval"),
      Command.Option(name: "extremes", doc: "with --step: also the lowest and the highest value of each interval"),
      Command.Option(name: "within", argument: "DURATION", doc: "with --values: the longest time to replay"),
      Command.Option(
        name: "since", argument: "TIME", doc: "start: a timestamp such as 2026-05-01T12:00:00Z, or a duration ago"),
      Command.Option(name: "until", argument: "TIME", doc: "end: a timestamp, or a duration ago"),
    ] + StateLocation.ownOptions,
    isOffline: true,
    examples: [
      Example("sudo signalbox history --since 2h", "the last two hours of all durable graphs"),
      Example(
        "sudo signalbox history --since 24h 'climate.*' | signalbox simulate new.yaml",
        "their results under another configuration"),
      Example(
        "sudo signalbox history --values --since 7d --step 1h climate.smooth", "a week of a signal, hour by hour"),
      Example(
        "sudo signalbox history --test 'a false alarm' --since 2026-11-22T12:00:00Z --until 2026-11-22T12:00:10Z",
        "ten seconds, as a test"),
    ]
  ) { invocation throws(CommandError) in
    let name = invocation.text("test")
    let operands = try invocation.operands(0...Int.max)
    var patterns: [SignalPattern] = []
    for text in operands { patterns.append(try invocation.pattern(text)) }
    let since = try invocation.moment("since")
    let until = try invocation.moment("until")
    guard since ?? .min <= until ?? .max else { throw .usage("--since is after --until") }
    let location = try StateLocation(invocation)
    if invocation.has("values") {
      if name != nil { throw .usage("either --test or --values, not both") }
      // The clock may have been set back since the last value.
      let end = until ?? max(since ?? .min, WallTime.now().microseconds)
      return try printValues(operands, (since ?? .min)...end, location, invocation)
    }
    for option in ["step", "within", "extremes"] where invocation.has(option) {
      throw .usage("--\(option) requires --values")
    }
    if let name {
      let request = HistoryTest.Request(
        name: name, since: since, until: until,
        patterns: patterns.map { pattern in
          HistoryTest.Pattern(text: pattern.text, isName: pattern.isName) { pattern.matches($0) }
        })
      return try explainTest(request, location, invocation)
    }
    try printLines(patterns, (since ?? .min)...(until ?? .max), location, invocation)
  }

  private static func explainTest(
    _ request: HistoryTest.Request, _ location: StateLocation, _ invocation: Invocation
  ) throws(CommandError) {
    let folder = try location.reader(for: request.patterns.map(\.text))
    do throws(HistoryTest.Refusal) {
      for line in try HistoryTest(request, from: folder).lines { invocation.output.line(line) }
    } catch {
      switch error {
      case .storage(let error): throw location.failure(error)
      case .unknown(let pattern, let names): throw location.unknown(pattern, amongDurable: names)
      case .vague(let message): throw .usage(message)
      case .untellable(let message): throw CommandError(.failed, message)
      }
    }
  }

  private static func printValues(
    _ signals: [String], _ times: ClosedRange<Int64>, _ location: StateLocation, _ invocation: Invocation
  ) throws(CommandError) {
    if signals.isEmpty { throw .usage("--values requires the names of signals") }
    let step: Interval? = try invocation.option("step")
    let keepsExtremes = invocation.has("extremes")
    if keepsExtremes, step == nil { throw .usage("--extremes requires --step") }
    let within: Interval? = try invocation.option("within")
    let end = within.map { MonotonicInstant.now() + $0.duration }
    let folder = try location.reader(for: signals)
    let past: PastValues
    do throws(LookingBack.Refusal) {
      past = try PastValues(
        of: signals, in: times, step: step.map { max(1, Int64($0.duration / .microseconds(1))) },
        keepsExtremes: keepsExtremes, from: folder
      ) { end.map { MonotonicInstant.now() >= $0 } ?? false }
    } catch {
      switch error {
      case .storage(let error): throw location.failure(error)
      case .unknown(let names):
        throw location.unknown(signals.first { !names.contains($0) } ?? signals[0], amongDurable: names)
      case .noValue(let message): throw CommandError(.notYet, message)
      }
    }
    for line in past.lines {
      invocation.output.line(line)
      try invocation.output.flushIfLarge()
    }
  }

  private static func printLines(
    _ patterns: [SignalPattern], _ times: ClosedRange<Int64>, _ location: StateLocation, _ invocation: Invocation
  ) throws(CommandError) {
    var history = History(of: try location.reader(for: patterns.map(\.text)), in: times) { name in
      patterns.isEmpty || patterns.contains { $0.matches(name) }
    }
    for part in try location.translating({ () throws(StorageError) in try history.parts() }) {
      for line in try location.translating({ () throws(StorageError) in try history.lines(behind: part) }) {
        invocation.output.line(line)
        try invocation.output.flushIfLarge()
      }
    }
    for pattern in patterns where !history.names.contains(where: pattern.matches) {
      throw location.unknown(pattern.text, amongDurable: history.names)
    }
  }
}
