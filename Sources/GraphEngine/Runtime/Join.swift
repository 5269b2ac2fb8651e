package import GraphModel
import JSON
package import ReactiveCore

/// A junction of several streams: it collects the events of each in a turn, then emits its own.
package final class Join: Settling, KeptMemory {
  /// The events of each input in this turn, in the order of the inputs.
  package struct Inbox: RandomAccessCollection {
    fileprivate var events: [[Stream.Event]]
    /// True for each input that may emit more; for an ended one, only once it is restarted.
    package fileprivate(set) var isOpen: [Bool]

    package var startIndex: Int { 0 }
    package var endIndex: Int { events.count }
    package subscript(index: Int) -> [Stream.Event] { events[index] }
  }

  private let place: DeclaredPlace
  private var inbox: Inbox
  private var isMarked = false
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
        subscription.onRestart = { join.inbox.isOpen[index] = true }
        subscription.begin()
      }
    }
  }

  private init(
    of count: Int, at place: DeclaredPlace, output: StreamObserver, rule: @escaping (Inbox, StreamObserver) -> Void
  ) {
    self.place = place
    self.inbox = Inbox(events: Array(repeating: [], count: count), isOpen: Array(repeating: true, count: count))
    self.output = output
    self.rule = rule
    keep()
  }

  package func encode(to writer: inout StateEncoder) { inbox.isOpen.encode(to: &writer) }

  package func restore(from reader: inout StateDecoder) throws(StateError) {
    let isOpen = try [Bool](from: &reader)
    guard isOpen.count == inbox.count else { throw StateError("the inputs of a join differ from its state") }
    inbox.isOpen = isOpen
  }

  package var rank: Int { place.rank }

  private func collect(_ event: Stream.Event, from index: Int) {
    // A body that is stopped between two turns interrupts its dependents; no subscriber is left to receive that.
    let turns = place.signal.engine.turns
    guard turns.isRunning else { return }
    inbox.events[index].append(event)
    if event.isTerminating { inbox.isOpen[index] = false }
    guard !isMarked else { return }
    isMarked = true
    turns.mark(self)
  }

  package func settle() {
    isMarked = false
    let present = inbox
    for index in inbox.indices { inbox.events[index] = [] }
    rule(present, output)
  }
}
