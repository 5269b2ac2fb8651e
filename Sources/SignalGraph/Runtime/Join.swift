import JSON
import ReactiveCore

/// Where several streams meet: it collects what each made in a turn, then makes a list of its own.
final class Join: Settling, KeptMemory {
  /// The events of each input in this turn, in the order in which the inputs are listed.
  struct Inbox: RandomAccessCollection {
    fileprivate var events: [[Stream.Event]]
    /// Whether more may come from each of them: from one that has ended only once it is started anew.
    fileprivate(set) var isOpen: [Bool]

    var startIndex: Int { 0 }
    var endIndex: Int { events.count }
    subscript(index: Int) -> [Stream.Event] { events[index] }
  }

  private let place: DeclaredPlace
  private var inbox: Inbox
  private var isMarked = false
  private let rule: (Inbox, StreamObserver) -> Void
  private let output: StreamObserver

  /// Joins `inputs` by a rule that is called once for each turn in which one of them made something.
  static func stream(
    of inputs: [RenewableInput], at place: DeclaredPlace, rule: @escaping (Inbox, StreamObserver) -> Void
  ) -> Stream {
    Stream { output, lifetime in
      let watched = place.signal.engine.watch?.joining(at: place, rule)
      let join = Join(of: inputs.count, at: place, output: output, rule: watched?.rule ?? rule)
      for (index, input) in inputs.enumerated() {
        let hearing = Hearing(input, in: place.signal, lifetime) {
          watched?.collected()
          join.collect($0, from: index)
        }
        hearing.onRenewal = { join.inbox.isOpen[index] = true }
        hearing.begin()
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

  func store(in writer: inout StateWriter) { inbox.isOpen.store(in: &writer) }

  func restore(from reader: inout StateReader) throws(StateError) {
    let isOpen = try [Bool](from: &reader)
    guard isOpen.count == inbox.count else { throw StateError("a join has other inputs than were kept") }
    inbox.isOpen = isOpen
  }

  var rank: Int { place.rank }

  private func collect(_ event: Stream.Event, from index: Int) {
    // A body that is taken down between two turns interrupts those that hang on it; nobody is left to hear of it.
    let turns = place.signal.engine.turns
    guard turns.isRunning else { return }
    inbox.events[index].append(event)
    if event.isTerminating { inbox.isOpen[index] = false }
    guard !isMarked else { return }
    isMarked = true
    turns.mark(self)
  }

  func settle() {
    isMarked = false
    let present = inbox
    for index in inbox.indices { inbox.events[index] = [] }
    rule(present, output)
  }
}
