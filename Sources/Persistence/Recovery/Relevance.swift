import GraphEngine
import GraphModel
import GraphTools
import Signals
import StateLog

/// The entries that can have affected a signal's events.
///
/// Values sent to unconnected signals are skipped. External events cannot be: they are identified by attachment
/// numbers, which are counted over all signals.
struct Relevance {
  private let isRelevant: [Bool]

  /// - Returns: `nil` if every entry has to be performed.
  init?(to signal: String, in configuration: Configuration, _ durable: DurableRuntime) {
    let signals = configuration.graphs.flatMap(\.signals)
    guard signals.allSatisfy(\.isSelfContained) else { return nil }
    let contributors = DeclarationsInView(configuration).distances(to: signal)
    // The daemon's own signals depend on all others.
    let own = durable.places.dropFirst(durable.runtime.signals.count)
    guard own.allSatisfy({ contributors[$0.name] == nil }) else { return nil }
    isRelevant = durable.places.map { contributors[$0.name] != nil }
  }

  /// True for the index of a signal that the signal is computed from; an unknown one is left to the replay.
  func includes(_ place: UInt32) -> Bool { !isRelevant.indices.contains(Int(place)) || isRelevant[Int(place)] }

  func includes(_ entry: Entry) -> Bool {
    switch entry {
    case .value(_, let place, _), .values(_, let place, _), .ending(_, let place, _), .crossing(_, let place):
      includes(place)
    case .timers, .listening, .restart, .world, .content, .appended, .replaced, .progress: true
    }
  }
}
