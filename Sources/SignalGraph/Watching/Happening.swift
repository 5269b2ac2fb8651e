import JSON
import ReactiveCore

/// Something that happened in graphs that were watched, and what it happened within.
struct Happening {
  enum Kind {
    /// Something entered: the number of the entry, as those who watch count them.
    case entry(Int)
    /// A timer of a place ran that was set for a moment.
    case timer(due: Instant)
    /// A place has put something out.
    case output(SignalEvent)
    /// A named signal has told its listeners something.
    case told(SignalEvent)
    /// A place at which several streams meet was worked out.
    case joined
    /// An expression refused a value.
    case refused(RefusedValue)
    /// A pipe has sent a value to a signal, which is a turn of its own.
    case sent
  }

  let kind: Kind
  /// The place where it happened; `nil` of an entry.
  let place: Int?
  /// What it happened within; `nil` of an entry.
  let cause: Int?
  /// Other things that led to it: the inputs of a join, what a timer was set within, what chose a run.
  var others: [Int] = []
  let instant: Instant
  /// Since 1970.
  let microseconds: Int64

  var event: SignalEvent? {
    switch kind {
    case .output(let event), .told(let event): event
    default: nil
    }
  }

  /// The value that passed.
  var value: JSONValue? { event?.value }
}
