import GraphModel
import JSON

/// All entries that contributed to a record, however old.
struct Slice {
  private(set) var entries: Set<Int> = []
  /// The memory samples that are missing.
  private(set) var looks: Set<ProvenanceRecorder.Look> = []
  private let recorder: ProvenanceRecorder
  private let declarations: DeclarationsInView
  private let assumed: Dependence?
  private let block: Int
  private var open: [Int]
  private var seen: Set<Int>

  /// - Parameters:
  ///   - assumed: Replaces the declared dependence of each operator.
  ///   - block: The number of samples requested at once.
  init(
    of number: Int, in recorder: ProvenanceRecorder, _ declarations: DeclarationsInView, assuming assumed: Dependence?,
    block: Int = 0
  ) {
    (self.recorder, self.declarations, self.assumed, self.block) = (recorder, declarations, assumed, block)
    (open, seen) = ([number], [number])
    while let next = open.popLast() { follow(next) }
  }

  private mutating func add(_ number: Int?) {
    if let number, seen.insert(number).inserted { open.append(number) }
  }

  private mutating func follow(_ number: Int) {
    guard let record = recorder[number] else { return }
    record.others.forEach { add($0) }
    switch record.kind {
    case .entry(let entry): entries.insert(entry)
    case .emitted: add(record.cause)
    case .output: follow(number, output: record)
    case .joined, .timer, .sent, .refused: break
    }
  }

  private mutating func follow(_ number: Int, output record: ProvenanceRecord) {
    add(record.cause)
    guard let place = record.place else { return }
    let steps = declarations.steps(of: recorder.places[place].signal)
    if case .reference(let name)? = steps?.contents[recorder.places[place].index] {
      let isReceived =
        record.cause.flatMap { recorder[$0] }.map { if case .emitted = $0.kind { true } else { false } } ?? false
      if !isReceived { add(recorder.emitted(by: name, like: record, before: number)) }
    }
    guard recorder.remembersAnything(at: place), let before = record.cause else { return }
    switch dependence(of: place, record, steps) {
    case .event: break
    case .memory:
      let trail = MemoryHistory(recorder, of: place, before: before, steps, block: block)
      looks.formUnion(trail.missing)
      for value in trail.values { add(value.origin) }
    case .history: followAll(of: place, before: before, steps)
    }
  }

  private func dependence(of place: Int, _ record: ProvenanceRecord, _ steps: DeclaredSteps?) -> Dependence {
    // An operator that ends by itself depends on its history.
    let isOwnEnding = record.value == nil && record.cause.flatMap { recorder[$0] }?.value != nil
    return isOwnEnding ? .history : assumed ?? steps?.dependence(recorder.places[place].index) ?? .history
  }

  /// Adds all inputs that a place ever received.
  private mutating func followAll(of place: Int, before number: Int, _ steps: DeclaredSteps?) {
    let at = recorder.places[place]
    for body in recorder.bodies(around: at.body) {
      for input in (steps?.inputs[at.index] ?? []) {
        guard let input = recorder.number(of: ProvenanceRecorder.Place(signal: at.signal, body: body, index: input))
        else { continue }
        for event in recorder.events(of: input) where event < number { add(event) }
      }
    }
  }
}
