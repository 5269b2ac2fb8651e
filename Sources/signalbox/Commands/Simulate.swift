internal import Base
internal import GraphModel
internal import GraphTools
internal import JSON
internal import WireProtocol

extension Command {
  static let simulate = Command(
    name: "simulate", operands: "FILE [SIGNAL|PATTERN…]", kinds: [.configuration, .listed(.signal)],
    summary: "run a configuration on recorded events",
    details: """
      Reads lines {"at":…,"signal":…,"value":…} from standard input, and prints the resulting events of the given
      signals, or of all signals except inputs. "at" is RFC 3339 or a time since the start, such as 1m30s; lines are in
      order of time. Time is virtual: a day takes moments. Programs and files never run. Equal lines give equal events,
      byte for byte. A line may end a signal: "event" is completed, failed or interrupted; subscribed restarts it. No
      daemon is needed.

      The output of signalbox subscribe --json --timestamps is accepted. Its values have a "seq" and have passed through
      the pipe of their signal; those of computed signals, and those that graphs generate themselves, such as timers,
      are skipped. A value received by several subscriptions counts once, and a restarted signal continues. Retained
      values, at most 1,000,000, are first brought into order of time.

      Without --start, time begins with the first line, or in 1970 if lines give times since the start: now, timestamp
      and the calendar use it. With --start, all signals start then, and the effects of their timers before the first
      line are printed too; lines may give timestamps and times since the start, and the events have timestamps.

      With --why, explains the provenance of a value instead, as signalbox why does; the whole recording is read first.
      SEQ counts the values of this simulation; the default is the last one.
      """,
    options: [
      Option(name: "start", argument: "TIME", doc: "start of the virtual time"),
      Option(name: "until", argument: "TIME", doc: "end of the virtual time, or the duration from the start"),
      Option(name: "why", argument: "SIGNAL[:SEQ]", doc: "explain a value: the last one, or SEQ"),
      Option(name: "skip-computed", doc: "skip lines of computed signals"),
    ],
    isOffline: true,
    examples: [
      Example("signalbox simulate graphs.yaml < events.jsonl", "the resulting events"),
      Example(
        "signalbox subscribe --json --timestamps 'climate.*' > events.jsonl", "record a running graph, until Ctrl-C"),
      Example(
        "signalbox simulate --start 2026-05-01T06:00:00Z --until 24h graphs.yaml < /dev/null", "a day without inputs"),
      Example("signalbox simulate --until 24h graphs.yaml 'climate.*' < day.jsonl", "one graph, for a day"),
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
    if operands.count > 1 { throw .usage("--why names the signal: give no other") }
    let parts = wanted.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let signal = try invocation.pattern(String(parts.first ?? ""))
    let number = parts.count > 1 ? try invocation.sequence(String(parts[1])) : nil
    let (configuration, places) = try ConfigurationFiles.loadWithPlaces(.alone(operands[0]), invocation.output)
    try refuseUnknown([signal], configuration)
    if !signal.isName { throw .usage("--why requires the name of one signal, not a pattern") }
    let recording = try RecordedPast(invocation, configuration)
    try recording.explain(signal.text, number, DeclarationsInView(configuration, places))
  }

  private static func refuseUnknown(
    _ patterns: [SignalPattern], _ configuration: Configuration
  ) throws(CommandError) {
    let signals = configuration.graphs.flatMap(\.signals).filter { !$0.isCondition }
    for pattern in patterns where !signals.contains(where: pattern.selects) {
      let hint = Suggestion.likely(for: pattern.text, among: signals.map(\.name)).map { "; did you mean \($0)?" } ?? ""
      throw CommandError(.unknown, "no signal \(pattern.text)\(hint)")
    }
  }
}

/// The playback of standard input in a simulation, which starts with the first line.
private struct Replay {
  private let invocation: Invocation
  private let configuration: Configuration
  private let patterns: [SignalPattern]
  private let computed: Set<String>
  private var simulation: Simulation?
  /// The start time from the options.
  private var named: RecordedTime?

  init(_ invocation: Invocation, _ configuration: Configuration, _ patterns: [SignalPattern]) {
    self.invocation = invocation
    self.configuration = configuration
    self.patterns = patterns
    computed = invocation.skippedSignals(configuration)
  }

  mutating func run() throws(CommandError) {
    let until = try invocation.simulatedEnd()
    named = try invocation.simulatedStart()
    var reader = RecordingReader()
    while let event = try reader.next() {
      do throws(RecordingError) { try play(event) } catch { throw reader.failure(error) }
      try invocation.output.flushIfLarge()
    }
    try finish(until)
  }

  private mutating func play(_ event: RecordedEvent) throws(RecordingError) {
    // The first line sets the start time, even if its signal is skipped.
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
    // Times relative to the start count from 0, whatever the time of the first event.
    let first = if case .sinceStart = time { RecordedTime.sinceStart(.zero) } else { time }
    let new = Simulation(
      configuration, start: named ?? first, isStartNamed: named != nil,
      showing: { signal in
        patterns.isEmpty
          ? signal.kind != .input && !signal.traits.isPrivate && signal.traits.run != .cold
          : patterns.contains { $0.selects(signal) }
      }, onEvent: { output.line($0.line) })
    simulation = new
    return new
  }
}

extension SignalPattern {
  /// Indicates that it selects a signal: as in subscriptions, a pattern selects neither private nor cold signals.
  fileprivate func selects(_ signal: SignalDeclaration) -> Bool {
    guard matches(signal.name), !signal.isCondition else { return false }
    return isName || !signal.traits.isPrivate && signal.traits.run != .cold
  }
}

extension Invocation {
  /// Returns the start time of a simulation.
  func simulatedStart() throws(CommandError) -> RecordedTime? {
    guard let text = text("start") else { return nil }
    if let time = RecordedTime(text), case .moment = time { return time }
    throw .usage("--start must be a time such as 2026-05-01T12:00:00Z, not \(text)")
  }

  /// Returns the end time of a simulation.
  func simulatedEnd() throws(CommandError) -> RecordedTime? {
    guard let text = text("until") else { return nil }
    if let time = RecordedTime(text) { return time }
    throw .usage("--until must be a duration such as 1h30m or a time such as 2026-05-01T12:00:00Z, not \(text)")
  }

  /// Returns the signals whose recorded events are skipped.
  func skippedSignals(_ configuration: Configuration) -> Set<String> {
    let skipped = has("skip-computed") ? configuration.graphs.flatMap(\.signals) : []
    return Set(skipped.filter { !$0.upstream.isEmpty }.map(\.name))
  }
}
