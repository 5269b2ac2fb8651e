import JSON
package import ReactiveCore

/// A silence for people: what entered, and below it where that ended.
package struct SilenceText {
  package private(set) var lines: [MarkedText] = []
  private static let mostValues = 10

  /// - Parameters:
  ///   - origin: What an entry was.
  ///   - time: How moments of the graphs' clock are written, beside one of those turns.
  package init(
    _ silence: Silence, of signal: String, origin: (Int) -> EntryOrigin?,
    time: @escaping (Instant, Silence.Turn) -> RecordedTime
  ) {
    if silence.turns.isEmpty {
      lines = [MarkedText("nothing that \(signal) is computed from came in all that is known of that time")]
    }
    for turn in silence.turns {
      lines.append(
        MarkedText(origin(turn.entry)?.text ?? "an entry", .title)
          + MarkedText(" at \(time(turn.instant, turn))", .aside))
      for stop in turn.stops { lines.append(Self.line(stop) { time($0, turn) }) }
      if let told = turn.told { lines.append(MarkedText("  \(signal) told \(told.shown)")) }
    }
  }

  private static func line(_ stop: Silence.Stop, _ time: (Instant) -> RecordedTime) -> MarkedText {
    let head = "  \(stop.step) of \(stop.signal) "
    let memory =
      stop.remembered.isEmpty
      ? "" : ", remembering \(stop.remembered.prefix(mostValues).map(\.shown).joined(separator: ", "))"
    let text =
      switch stop.outcome {
      case .nothing: "put nothing out for \(stop.value.shown)\(memory)"
      case .waits(let due): "holds \(stop.value.shown) until \(time(due))"
      case .refused(let failure): "refused \(stop.value.shown): \(failure.message)"
      }
    return MarkedText(head + text) + MarkedText(stop.place.map { "  \($0)" } ?? "", .aside)
  }
}
