package import GraphModel
import JSON
package import Signals

/// A silence as text: each input, and below it the place where it ended.
package struct SilenceText {
  package private(set) var lines: [MarkedText] = []
  private static let mostValues = 10

  /// - Parameters:
  ///   - origin: Returns the origin of an entry.
  ///   - time: Formats a moment of the graphs' clock, given a turn.
  package init(
    _ silence: Silence, of signal: String, origin: (Int) -> EntryOrigin?,
    time: @escaping (Instant, Silence.Turn) -> RecordedTime
  ) {
    if silence.turns.isEmpty {
      lines = [MarkedText("no input of \(signal) in the recorded period")]
    }
    for turn in silence.turns {
      lines.append(
        MarkedText(origin(turn.entry)?.text ?? "an entry", .title)
          + MarkedText(" at \(time(turn.instant, turn))", .aside))
      if turn.others > 0 {
        let others = turn.others == 1 ? "one more earlier one" : "\(turn.others) more earlier ones"
        lines.append(MarkedText("  and \(others) with the same outcome", .aside))
      }
      for stop in turn.stops { lines.append(Self.line(stop) { time($0, turn) }) }
      if let emitted = turn.emitted { lines.append(MarkedText("  \(signal) emitted \(emitted.shown)")) }
    }
  }

  private static func line(_ stop: Silence.Stop, _ time: (Instant) -> RecordedTime) -> MarkedText {
    let head = "  \(stop.step) of \(stop.signal) "
    let memory =
      stop.remembered.isEmpty
      ? "" : ", remembering \(stop.remembered.prefix(mostValues).map(\.shown).joined(separator: ", "))"
    let text =
      switch stop.outcome {
      case .nothing: "emitted nothing for \(stop.value.shown)\(memory)"
      case .waits(let due): "holds \(stop.value.shown) until \(time(due))"
      case .refused(let failure): "rejected \(stop.value.shown): \(failure.message)"
      }
    return MarkedText(head + text) + MarkedText(stop.place.map { "  \($0)" } ?? "", .aside)
  }
}
