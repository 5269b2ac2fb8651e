internal import JSON
internal import SignalGraph
internal import Spelling
internal import WireProtocol

extension Command {
  static let simulate = Command(
    name: "simulate", operands: "FILE [SIGNAL|PATTERN…]", kinds: [.configuration, .listed(.signal)],
    summary: "replay recorded events to a configuration",
    details: """
      Reads lines {"at":…,"signal":…,"value":…} from standard input, and prints the events that come out of the graphs:
      of the signals that are named, else of all but inputs. "at" is RFC 3339 or a time since the start, such as 1m30s;
      lines are in the order of time. Time is virtual, so that a day takes moments; programs and files never run. The same
      lines give the same events, to the byte. A line may end a signal: "event" is completed, failed or interrupted; with
      subscribed it starts anew. No daemon is needed.

      What signalbox subscribe --json --timestamps prints of a daemon can be read as it is. Its values have a "seq" and
      have gone through the pipe of their signal; those of signals that are computed, and those that the graphs make of
      themselves, such as timers, are passed over. A value that several subscriptions brought counts once, and a signal
      that was restarted goes on. What the signals had retained, 1,000,000 values at most, is brought into
      the order of time first.

      With --why it tells how a value came about instead of what came out, as signalbox why does of the past; the whole
      recording is read first. SEQ counts the values of this simulation; without it, its last value is meant.
      """,
    options: [
      Option(name: "until", argument: "TIME", doc: "go on to this time, or for this long from the start"),
      Option(name: "why", argument: "SIGNAL[:SEQ]", doc: "explain how a value came about: the last one, or SEQ"),
      Option(name: "skip-computed", doc: "pass over lines of signals that are computed from others"),
    ],
    isOffline: true,
    examples: [
      Example("signalbox simulate graphs.yaml < events.jsonl", "what would have come of it"),
      Example(
        "signalbox subscribe --json --timestamps 'climate.*' > events.jsonl", "record a running graph, until ctrl-C"),
      Example("signalbox simulate --until 24h graphs.yaml 'climate.*' < day.jsonl", "one graph, to the end of a day"),
    ]
  ) { invocation throws(CommandError) in
    let operands = try invocation.operands(1...Int.max)
    var patterns: [SignalPattern] = []
    for text in operands.dropFirst() { patterns.append(try invocation.pattern(text)) }
    if let wanted = invocation.text("why") { return try explain(wanted, operands, invocation) }
    let configuration = try ConfigurationFiles.load(.alone(operands[0]), invocation.output)
    try refuseUnknown(patterns, configuration)
    var replay = Replay(invocation, configuration, patterns)
    try replay.run()
  }

  private static func explain(
    _ wanted: String, _ operands: [String], _ invocation: Invocation
  ) throws(CommandError) {
    if operands.count > 1 { throw .usage("--why names the signal, so no other is named") }
    let parts = wanted.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let signal = try invocation.pattern(String(parts.first ?? ""))
    let number = parts.count > 1 ? try invocation.sequence(String(parts[1])) : nil
    let (configuration, places) = try ConfigurationFiles.loadWithPlaces(.alone(operands[0]), invocation.output)
    try refuseUnknown([signal], configuration)
    if !signal.isName { throw .usage("--why takes the name of one signal, not a pattern") }
    let recording = try RecordedPast(invocation, configuration)
    try recording.explain(signal.text, number, DeclarationsInView(configuration, places))
  }

  private static func refuseUnknown(
    _ patterns: [SignalPattern], _ configuration: Configuration
  ) throws(CommandError) {
    let names = configuration.graphs.flatMap(\.signals).map(\.name)
    for pattern in patterns where !names.contains(where: pattern.matches) {
      let hint = Suggestion.likely(for: pattern.text, among: names).map { "; did you mean \($0)?" } ?? ""
      throw CommandError(.unknown, "no signal \(pattern.text)\(hint)")
    }
  }
}

/// Feeds standard input to a simulation, which starts with the first line.
private struct Replay {
  private let invocation: Invocation
  private let configuration: Configuration
  private let patterns: [SignalPattern]
  private let computed: Set<String>
  private var simulation: Simulation?

  init(_ invocation: Invocation, _ configuration: Configuration, _ patterns: [SignalPattern]) {
    self.invocation = invocation
    self.configuration = configuration
    self.patterns = patterns
    computed = invocation.skippedSignals(configuration)
  }

  mutating func run() throws(CommandError) {
    let until = try invocation.simulatedEnd()
    var reader = RecordingReader()
    while let event = try reader.next() {
      do throws(RecordingError) { try play(event) } catch { throw reader.failure(error) }
      try invocation.output.flushIfLarge()
    }
    try finish(until)
  }

  private mutating func play(_ event: RecordedEvent) throws(RecordingError) {
    // The first line begins the time, whatever signal it is of.
    let simulation = started(at: event.time)
    if !computed.contains(event.signal) { try simulation.play(event) }
  }

  private mutating func finish(_ until: RecordedTime?) throws(CommandError) {
    let simulation = started(at: .sinceStart(.zero))
    do throws(RecordingError) {
      if let until { try simulation.run(until: until) } else { simulation.finish() }
    } catch {
      throw .usage("--until: \(error.message)")
    }
  }

  private mutating func started(at time: RecordedTime) -> Simulation {
    if let simulation { return simulation }
    let (output, patterns) = (invocation.output, patterns)
    // Times since the start count from 0, whenever the first event comes.
    let start = if case .sinceStart = time { RecordedTime.sinceStart(.zero) } else { time }
    let new = Simulation(
      configuration, start: start,
      showing: { signal in
        // Patterns do not match cold signals, as for subscribers.
        patterns.isEmpty
          ? signal.kind != .input && !signal.traits.isPrivate && signal.traits.run != .cold
          : patterns.contains { $0.matches(signal.name) && ($0.isName || signal.traits.run != .cold) }
      }, onEvent: { output.line($0.line) })
    simulation = new
    return new
  }
}

extension Invocation {
  /// The time to which a simulation goes on.
  func simulatedEnd() throws(CommandError) -> RecordedTime? {
    guard let text = text("until") else { return nil }
    if let time = RecordedTime(text) { return time }
    throw .usage("--until is a duration such as 1h30m or a time such as 2026-05-01T12:00:00Z, not \(text)")
  }

  /// The signals whose recorded events are passed over.
  func skippedSignals(_ configuration: Configuration) -> Set<String> {
    let skipped = has("skip-computed") ? configuration.graphs.flatMap(\.signals) : []
    return Set(skipped.filter { !$0.upstream.isEmpty }.map(\.name))
  }
}
