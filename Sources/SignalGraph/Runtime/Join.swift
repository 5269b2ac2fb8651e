import JSON
import ReactiveCore

/// Where several streams meet: it collects what each made in a turn, then makes a list of its own.
final class Join: Settling {
  /// What each input made in this turn, in the order in which the inputs are listed.
  struct Inbox: RandomAccessCollection {
    fileprivate var events: [[Stream.Event]]
    /// Whether more may come from each of them: from one that has ended only once it is started anew.
    fileprivate(set) var isOpen: [Bool]

    var startIndex: Int { 0 }
    var endIndex: Int { events.count }
    subscript(index: Int) -> [Stream.Event] { events[index] }
  }

  private let place: DeclaredPlace
  private let inputs: [JoinInput]
  private let lifetime: Lifetime
  private var inbox: Inbox
  private var isMarked = false
  /// Whether its signal knows that an input may have to be started anew.
  private var isRegistered = false
  private let rule: (Inbox, StreamObserver) -> Void
  private let output: StreamObserver

  /// Joins `inputs` by a rule that is called once for each turn in which one of them made something.
  static func stream(
    of inputs: [JoinInput], at place: DeclaredPlace, rule: @escaping (Inbox, StreamObserver) -> Void
  ) -> Stream {
    Stream { output, lifetime in
      let join = Join(inputs, at: place, lifetime, output: output, rule: rule)
      for (index, input) in inputs.enumerated() { join.observe(input.stream, as: index) }
    }
  }

  private init(
    _ inputs: [JoinInput], at place: DeclaredPlace, _ lifetime: Lifetime, output: StreamObserver,
    rule: @escaping (Inbox, StreamObserver) -> Void
  ) {
    self.inputs = inputs
    self.place = place
    self.lifetime = lifetime
    self.inbox = Inbox(
      events: Array(repeating: [], count: inputs.count), isOpen: Array(repeating: true, count: inputs.count))
    self.output = output
    self.rule = rule
  }

  var rank: Int { place.rank }

  private func observe(_ stream: Stream, as index: Int) {
    lifetime += stream.observe { self.collect($0, from: index) }
  }

  private func collect(_ event: Stream.Event, from index: Int) {
    // What is taken down between two turns interrupts what hung on it; nobody is left to hear of it.
    let turns = place.signal.engine.turns
    guard turns.isRunning else { return }
    inbox.events[index].append(event)
    if event.isTerminating { inputHasEnded(index) }
    guard !isMarked else { return }
    isMarked = true
    turns.mark(self)
  }

  func settle() {
    isMarked = false
    let present = inbox
    for index in inputs.indices { inbox.events[index] = [] }
    rule(present, output)
  }

  // MARK: Inputs that are started anew

  private func inputHasEnded(_ index: Int) {
    inbox.isOpen[index] = false
    guard inputs[index].again != nil, !isRegistered else { return }
    isRegistered = true
    let signal = place.signal
    signal.joinsWithEndedInputs.append(self)
    let identifier = ObjectIdentifier(self)
    lifetime.observeEnded { signal.joinsWithEndedInputs.removeAll { ObjectIdentifier($0) == identifier } }
  }

  /// Hears those of its inputs again that have ended and are computed from a signal that starts anew.
  ///
  /// - Returns: What has to be started for that.
  func rejoin(_ renewed: Set<String>) -> [RunningBody] {
    inputs.indices.compactMap { index in
      guard !inbox.isOpen[index], let (run, stream) = inputs[index].again?(renewed) else { return nil }
      inbox.isOpen[index] = true
      lifetime.observeEnded { run.end() }
      observe(stream, as: index)
      return run
    }
  }
}

/// A stream that a join hears.
struct JoinInput {
  let stream: Stream
  /// Makes the stream once more where it is computed from one of the signals that start anew.
  let again: ((_ renewed: Set<String>) -> (RunningBody, Stream)?)?

  init(_ stream: Stream, again: ((Set<String>) -> (RunningBody, Stream)?)? = nil) {
    self.stream = stream
    self.again = again
  }

  func map(_ transform: @escaping (Payload) -> Payload) -> JoinInput {
    let again = again
    return JoinInput(stream.map(transform)) { renewed in
      again?(renewed).map { run, stream in (run, stream.map(transform)) }
    }
  }
}
