import GraphEngine
import GraphModel
import JSON
import Signals

/// A record of one step in watched graphs, and its cause.
struct ProvenanceRecord {
  enum Kind {
    /// An input: the number of its entry, as assigned by the caller.
    case entry(Int)
    /// A timer at a place, with its due time.
    case timer(due: Instant)
    /// An output of a place.
    case output(SignalEvent)
    /// An emission of a named signal.
    case emitted(SignalEvent)
    /// A join of several streams was evaluated.
    case joined
    /// An expression rejected a value.
    case refused(RefusedValue)
    /// A pipe sent a value to a signal, in a turn of its own.
    case sent
  }

  let kind: Kind
  /// The place; `nil` for an entry.
  let place: Int?
  /// The enclosing record; `nil` for an entry.
  let cause: Int?
  /// Further causes: the inputs of a join, the context that set a timer, the choice of a run.
  var others: [Int] = []
  let instant: Instant
  /// Since 1970.
  let microseconds: Int64

  var event: SignalEvent? {
    switch kind {
    case .output(let event), .emitted(let event): event
    default: nil
    }
  }

  /// The value of the event.
  var value: JSONValue? { event?.value }
}
