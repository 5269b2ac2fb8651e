import GraphModel
import JSON
import Signals

/// Builds an explanation from the records of a watch.
struct ExplanationBuilder {
  private let recorder: ProvenanceRecorder
  private let declarations: DeclarationsInView
  /// The memory samples that are missing.
  private(set) var looks: Set<ProvenanceRecorder.Look> = []
  private var emitted: Set<Int> = []
  private var nodeCount = 0

  /// The current nesting depth.
  private var nesting = 0

  /// The maximum number of nodes in a tree.
  static let limit = 5000
  /// The maximum nesting depth, which bounds the stack: pipes that send to themselves can form a long chain in one
  /// turn.
  static let deepest = 500

  /// The number of samples requested at once.
  private let block: Int

  init(_ recorder: ProvenanceRecorder, _ declarations: DeclarationsInView, block: Int) {
    (self.recorder, self.declarations, self.block) = (recorder, declarations, block)
  }

  /// Returns the explanation of a record.
  ///
  /// - Parameter depth: The number of steps back that values only read are followed.
  mutating func node(_ number: Int, depth: Int) -> Explanation.Node {
    guard let record = recorder[number] else { return unknown(in: "", nil) }
    nodeCount += 1
    nesting += 1
    defer { nesting -= 1 }
    switch record.kind {
    case .entry(let entry): return node(record, .entry(entry), in: "")
    case .emitted: return emitted(number, record, depth)
    case .output: return output(number, record, depth)
    case .timer: return node(record, .timer, in: signal(of: record))
    case .sent: return sent(record, depth)
    case .joined, .refused: return record.cause.map { node($0, depth: depth) } ?? unknown(in: "", nil)
    }
  }

  private func signal(of record: ProvenanceRecord) -> String { record.place.map { recorder.places[$0].signal } ?? "" }

  private func node(_ record: ProvenanceRecord, _ subject: Explanation.Node.Subject, in signal: String)
    -> Explanation.Node
  {
    Explanation.Node(
      subject: subject, signal: signal, event: record.event, instant: record.instant,
      microseconds: record.microseconds)
  }

  private func unknown(in signal: String, _ event: SignalEvent?) -> Explanation.Node {
    Explanation.Node(subject: .unknown, signal: signal, event: event, instant: .zero, microseconds: 0)
  }

  private mutating func emitted(_ number: Int, _ record: ProvenanceRecord, _ depth: Int) -> Explanation.Node {
    let signal = signal(of: record)
    var node = node(record, .signal, in: signal)
    node.place = declarations.place(of: signal)
    if leadsOn(&node, number), let cause = record.cause { node.given = [self.node(cause, depth: depth)] }
    return node
  }

  /// Decides on showing the causes here: they must not be shown elsewhere and must be within the limits.
  private mutating func leadsOn(_ node: inout Explanation.Node, _ number: Int) -> Bool {
    if emitted.contains(number) {
      node.isRepeated = true
      return false
    }
    if nodeCount >= Self.limit || nesting >= Self.deepest {
      node.isShortened = true
      return false
    }
    emitted.insert(number)
    return true
  }

  private mutating func sent(_ record: ProvenanceRecord, _ depth: Int) -> Explanation.Node {
    var node = node(record, .sent, in: signal(of: record))
    node.given = record.others.map { self.node($0, depth: depth) }
    return node
  }

  // MARK: Sources and operators

  private mutating func output(_ number: Int, _ record: ProvenanceRecord, _ depth: Int) -> Explanation.Node {
    guard let place = record.place else { return unknown(in: "", record.event) }
    let (signal, index) = (recorder.places[place].signal, recorder.places[place].index)
    switch declarations.steps(of: signal)?.contents[index] {
    case .reference(let name)?: return received(name, number, record, depth)
    case .step(let step)?:
      var node = node(record, .step(step.name), in: signal)
      node.place = declarations.place(of: signal, step: index)
      if leadsOn(&node, number) {
        if let call = callRun(of: record) {
          explain(&node, call, depth)
        } else {
          explain(&node, place, record, depth)
        }
      }
      return node
    case nil: return unknown(in: signal, record.event)
    }
  }

  /// Returns the node for an event received from another signal: live, or a value that the signal held.
  private mutating func received(_ name: String, _ number: Int, _ record: ProvenanceRecord, _ depth: Int)
    -> Explanation.Node
  {
    // Each subscriber of a cold signal has a run of its own, so the signal itself emits nothing.
    if let cause = record.cause, let before = recorder[cause], before.event != nil, signal(of: before) == name {
      return node(cause, depth: depth)
    }
    let held = recorder.emitted(by: name, like: record, before: number)
    if let held { return node(held, depth: depth) }
    return earlier(name).flatMap { $0.event?.isSame(as: record.event) ?? false ? $0 : nil }
      ?? unknown(in: name, record.event)
  }

  private mutating func explain(
    _ node: inout Explanation.Node, _ place: Int, _ record: ProvenanceRecord, _ depth: Int
  ) {
    guard let number = record.cause, let cause = recorder[number] else { return }
    if case .joined = cause.kind {
      node.given = cause.others.map { self.node($0, depth: depth) }
    } else {
      node.given = [self.node(number, depth: depth)]
    }
    let isTimer = if case .timer = cause.kind { true } else { false }
    for remembered in memory(of: place, before: number) {
      // A held value that is released now is the earlier input itself.
      if isTimer, let origin = remembered.origin, remembered.value == record.value {
        node.given.append(self.node(origin, depth: depth))
      } else {
        node.read.append(
          remembered.signal.map { earlier($0, remembered.value) }
            ?? read(.remembered, remembered.value, remembered.origin, depth))
      }
    }
    if let chooser = chooser(of: cause, behind: record), let value = recorder[chooser]?.value {
      node.read.append(read(.chosen, value, chooser, depth))
    }
  }

  /// Returns the event of a call's own run that an operator forwarded; its other parts reveal nothing about the value.
  private func callRun(of record: ProvenanceRecord) -> ProvenanceRecord? {
    guard let own = record.place, let run = record.cause.flatMap({ recorder[$0] }), let place = run.place,
      recorder.places[place].signal == recorder.places[own].signal,
      recorder.places[place].index == recorder.places[own].index,
      recorder.places[place].body != recorder.places[own].body, run.event != nil
    else { return nil }
    return run
  }

  /// Adds the call's input, and the value that it was called for.
  private mutating func explain(_ node: inout Explanation.Node, _ run: ProvenanceRecord, _ depth: Int) {
    node.given = run.cause.map { [self.node($0, depth: depth)] } ?? []
    guard let origin = run.others.first, let event = passed(at: origin) else { return }
    if let value = recorder[event]?.value { node.read.append(read(.called, value, event, depth)) }
    node.given.append(self.node(event, depth: depth))
  }

  /// Returns the event that began a record; for a join, its last input.
  private func passed(at number: Int) -> Int? {
    if case .joined? = recorder[number]?.kind { return recorder[number]?.others.last }
    return recorder[number]?.event == nil ? nil : number
  }

  /// Returns a value that a signal emitted before the replay.
  private func earlier(_ signal: String, _ value: JSONValue) -> Explanation.Read {
    Explanation.Read(role: .remembered, value: value, origin: earlier(signal))
  }

  private func earlier(_ signal: String) -> Explanation.Node? {
    recorder.earlier[signal].map { earlier in
      Explanation.Node(
        subject: .signal, signal: signal, place: declarations.place(of: signal), event: earlier.event, instant: .zero,
        microseconds: earlier.microseconds, isCut: true)
    }
  }

  private mutating func read(
    _ role: Explanation.Read.Role, _ value: JSONValue, _ origin: Int?, _ depth: Int
  ) -> Explanation.Read {
    guard let origin = origin.map(passedOn) else { return Explanation.Read(role: role, value: value, origin: nil) }
    var node = depth > 0 ? self.node(origin, depth: depth - 1) : leaf(origin)
    if depth == 0 { node.isCut = true }
    return Explanation.Read(role: role, value: value, origin: node)
  }

  /// Follows an event that was only forwarded to the emission of the other signal.
  private func passedOn(_ number: Int) -> Int {
    guard let record = recorder[number], case .output = record.kind, let cause = record.cause,
      let place = record.place, let steps = declarations.steps(of: recorder.places[place].signal)
    else { return number }
    let index = recorder.places[place].index
    if case .reference(let name)? = steps.contents[index] {
      return recorder.emitted(by: name, like: record, before: number) ?? number
    }
    return steps.name(index) == "from" ? passedOn(cause) : number
  }

  /// Returns a node without its causes.
  private func leaf(_ number: Int) -> Explanation.Node {
    guard let record = recorder[number], let place = record.place else { return unknown(in: "", nil) }
    let (signal, index) = (recorder.places[place].signal, recorder.places[place].index)
    switch declarations.steps(of: signal)?.contents[index] {
    case .reference(let name)?:
      let emitted = recorder.emitted(by: name, like: record, before: number)
      return emitted.flatMap { recorder[$0] }.map { node($0, .signal, in: name) } ?? unknown(in: name, record.event)
    case .step(let step)?:
      var node = node(record, .step(step.name), in: signal)
      node.place = declarations.place(of: signal, step: index)
      return node
    case nil: return node(record, .signal, in: signal)
    }
  }

  /// Returns the values in the memory of a place right before a record, newest first.
  private mutating func memory(of place: Int, before number: Int) -> [MemoryHistory.Value] {
    guard recorder.remembersAnything(at: place) else { return [] }
    let steps = declarations.steps(of: recorder.places[place].signal)
    let trail = MemoryHistory(recorder, of: place, before: number, steps, block: block)
    looks.formUnion(trail.missing)
    return trail.values.reversed()
  }

  /// Returns the event that started the run of a cause, if it is not among the causes anyway.
  private func chooser(of cause: ProvenanceRecord, behind record: ProvenanceRecord) -> Int? {
    guard let place = cause.place, let own = record.place, recorder.places[place].body != recorder.places[own].body,
      recorder.places[place].signal == recorder.places[own].signal,
      let origin = recorder.origins[recorder.places[place].body]
    else { return nil }
    var next: ProvenanceRecord? = cause
    while let earlier = next?.cause {
      if earlier == origin { return nil }
      next = recorder[earlier]
    }
    return passed(at: origin) ?? origin
  }
}
