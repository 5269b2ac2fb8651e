internal import GraphModel
internal import GraphTools
internal import Signals

/// A complete recording that can be replayed repeatedly to explain a value.
struct RecordedPast {
  private let invocation: Invocation
  private let configuration: Configuration
  private let events: [RecordedEvent]
  private let start: RecordedTime
  private let isStartNamed: Bool
  private let until: RecordedTime?

  /// Reads the recording from standard input, and checks that it can be played.
  init(_ invocation: Invocation, _ configuration: Configuration) throws(CommandError) {
    (self.invocation, self.configuration) = (invocation, configuration)
    until = try invocation.simulatedEnd()
    let named = try invocation.simulatedStart()
    isStartNamed = named != nil
    let skipped = invocation.skippedSignals(configuration)
    var reader = RecordingReader()
    var events: [RecordedEvent] = []
    var start = named
    var simulation: Simulation?
    while let event = try reader.next() {
      // Times relative to the start count from 0, whatever the time of the first event.
      let first = if case .sinceStart = event.time { RecordedTime.sinceStart(.zero) } else { event.time }
      let playing = simulation ?? Self.simulation(configuration, start ?? first, isStartNamed)
      (start, simulation) = (start ?? first, playing)
      if skipped.contains(event.signal) { continue }
      do throws(RecordingError) { try playing.play(event) } catch { throw reader.failure(error) }
      events.append(event)
    }
    (self.events, self.start) = (events, start ?? .sinceStart(.zero))
    do throws(RecordingError) {
      try finish(simulation ?? Self.simulation(configuration, self.start, isStartNamed))
    } catch {
      throw .usage("--until: \(error.message)")
    }
  }

  private static func simulation(
    _ configuration: Configuration, _ start: RecordedTime, _ isStartNamed: Bool, _ recorder: ProvenanceRecorder? = nil
  ) -> Simulation {
    Simulation(
      configuration, start: start, isStartNamed: isStartNamed, showing: { _ in false }, recorder: recorder,
      onEvent: { _ in })
  }

  private func finish(_ simulation: Simulation) throws(RecordingError) {
    if let until { try simulation.run(until: until) } else { simulation.finish() }
  }

  /// Explains a value of a signal.
  func explain(_ signal: String, _ number: UInt64?, _ declarations: DeclarationsInView) throws(CommandError) {
    let explainer = Explainer(signal, number.map(Explainer.Target.number) ?? .last, declarations)
    let explanation: Explanation?
    do throws(RecordingError) {
      explanation = try explainer.explanation(depth: 0) { recorder, isOver throws(RecordingError) in
        let simulation = Self.simulation(configuration, start, isStartNamed, recorder)
        for event in events {
          if isOver() { return }
          try simulation.play(event)
        }
        try finish(simulation)
      }
    } catch {
      throw CommandError(.badValue, error.message)
    }
    guard let explanation else {
      if configuration.graphs.flatMap(\.signals).contains(where: { $0.name == signal && $0.isCold }) {
        throw CommandError(.notYet, "\(signal) is cold: it runs once per subscriber, and there are no subscribers")
      }
      throw CommandError(.notYet, "\(signal) emitted no value\(number.map { " \($0)" } ?? "")")
    }
    let text = ExplanationText(explanation, origin: origin) { node in
      if case .moment = start { return .moment(microseconds: node.microseconds) }
      return .sinceStart(node.instant - .zero)
    }
    for line in text.lines { invocation.output.line(line) }
  }

  private func origin(_ entry: Int) -> EntryOrigin? {
    switch entry {
    case Simulation.startEntry: return EntryOrigin(.start)
    case Simulation.timeEntry: return EntryOrigin(.timers)
    default:
      let kind: EntryOrigin.Kind =
        switch events[entry].content {
        case .value: .sent
        case .ending: .ended
        case .beginning: .restart
        }
      return EntryOrigin(kind, signal: events[entry].signal)
    }
  }
}
