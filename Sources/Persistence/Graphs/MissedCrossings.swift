import GraphEngine
import GraphModel

/// The events of other graphs that durable ones have missed while nothing could be written.
///
/// Values are lost then. Retained values are not: they are delivered on recovery, as to any new subscriber; so are
/// endings and restarts.
struct MissedCrossings {
  /// The number of missed values of each signal, by name.
  private var values: [String: Int] = [:]
  /// False if anything has to be delivered, perhaps only a change of subscribers.
  private(set) var isEmpty = true

  /// Records a missed event of a signal.
  mutating func note(_ signal: String, isValue: Bool = false) {
    values[signal, default: 0] += isValue ? 1 : 0
    isEmpty = false
  }

  /// Records a missed event that a comparison detects.
  mutating func noteOther() { isEmpty = false }

  /// Returns the number of missed values that are still retained.
  func countOfHeld(in main: GraphRuntime?) -> UInt64 {
    UInt64((main?.signals ?? []).reduce(0) { $0 + (held(by: $1)?.count ?? 0) })
  }

  /// Returns the missed values of a signal that it still retains; `nil` if nothing was missed.
  func held(by signal: RunningSignal) -> [Retention.Entry]? {
    values[signal.name].map { signal.retained.latest($0) }
  }
}

extension DurableGraphs {
  /// Records an event that is dropped since nothing can be written.
  func miss(_ crossing: Crossing) {
    switch crossing {
    case .event(.next, let name):
      lostValues += 1
      missed.note(name, isValue: true)
    case .event(.ended, let name): missed.note(name)
    case .value: lostValues += 1
    case .listening: missed.noteOther()
    }
  }

  /// Delivers the missed events that are still relevant.
  func takeMissed() {
    if missed.isEmpty || isOver { return }
    guard let main else { return }
    let missed = missed
    self.missed = MissedCrossings()
    let signals = main.signals.filter { $0.isReflected && missed.held(by: $0) != nil }
    restartMirrors(of: Set(signals.filter { $0.ending == nil }.map(\.name)))
    for signal in signals {
      for entry in missed.held(by: signal) ?? [] {
        cross(.event(.next(entry.payload, sequence: entry.sequence), of: signal.name))
      }
      if let ending = signal.ending { cross(.event(.ended(ending), of: signal.name)) }
    }
    compareListeners(in: main)
    takeCrossings()
  }
}
