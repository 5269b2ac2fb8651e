package import GraphModel
import JSON
package import Signals

/// A junction of several streams: it collects the events of each in a turn, then emits its own.
package final class Join: Settling, KeptMemory, StateFields {
  /// The events of each input in this turn, in the order of the inputs.
  package struct Inbox: RandomAccessCollection {
    @usableFromInline let events: [[Stream.Event]]
    /// True for each input that may emit more; for an ended one, only once it is restarted.
    package let isOpen: [Bool]
    /// True if an input has ended in this turn.
    package let hasEnding: Bool

    @inlinable package var startIndex: Int { 0 }
    @inlinable package var endIndex: Int { events.count }
    @inlinable package subscript(index: Int) -> [Stream.Event] { events[index] }
  }

  private let place: DeclaredPlace
  /// The events of each input since it was settled; none while it is being settled.
  private var events: [[Stream.Event]]
  private var isOpen: [Bool]
  private var isMarked = false
  /// True if one of the events is an ending.
  private var hasEnding = false
  private static let usualEvents = 8
  private let rule: (Inbox, StreamObserver) -> Void
  private let output: StreamObserver

  /// Joins `inputs` by a rule that is called once for each turn in which one of them has emitted.
  static func stream(
    of inputs: [RestartableInput], at place: DeclaredPlace, rule: @escaping (Inbox, StreamObserver) -> Void
  ) -> Stream {
    Stream { output, lifetime in
      let watched = place.signal.engine.recorder?.joining(at: place)
      let watchedRule = watched.map { watched in
        { (inbox: Inbox, output: StreamObserver) in watched.settling { rule(inbox, output) } }
      }
      let join = Join(of: inputs.count, at: place, output: output, rule: watchedRule ?? rule)
      for (index, input) in inputs.enumerated() {
        let subscription = UpstreamSubscription(input, in: place.signal, lifetime) {
          watched?.collected()
          join.collect($0, from: index)
        }
        subscription.onRestart = { join.isOpen[index] = true }
        subscription.begin()
      }
    }
  }

  private init(
    of count: Int, at place: DeclaredPlace, output: StreamObserver, rule: @escaping (Inbox, StreamObserver) -> Void
  ) {
    self.place = place
    events = Array(repeating: [], count: count)
    isOpen = Array(repeating: true, count: count)
    self.output = output
    self.rule = rule
    keep()
  }

  package func code(_ field: inout StateCoder<Join>) throws(StateError) {
    try field(\.isOpen) { (isOpen) throws(StateError) in
      guard isOpen.count == self.isOpen.count else { throw StateError("the inputs of a join differ from its state") }
      self.isOpen = isOpen
    }
  }

  package var rank: Int { place.rank }

  private func collect(_ event: Stream.Event, from index: Int) {
    // A body that is stopped between two turns interrupts its dependents; no subscriber is left to receive that.
    let turns = place.signal.engine.turns
    guard turns.isRunning else { return }
    if events.isEmpty { events = Array(repeating: [], count: isOpen.count) }
    events[index].append(event)
    if event.isTerminating { (isOpen[index], hasEnding) = (false, true) }
    guard !isMarked else { return }
    isMarked = true
    turns.mark(self)
  }

  package func settle() {
    isMarked = false
    var present: [[Stream.Event]] = []
    swap(&present, &events)
    let ending = hasEnding
    hasEnding = false
    rule(Inbox(events: present, isOpen: isOpen, hasEnding: ending), output)
    guard events.isEmpty else { return }
    // A list that has room for a usual turn is used again; one that a large turn has grown is released.
    for index in present.indices {
      present[index].removeAll(keepingCapacity: present[index].capacity <= Self.usualEvents)
    }
    events = present
  }
}
