import GraphModel
import JSON

/// The origins of the values in a place's memory right before a record.
///
/// Compares the memory before each earlier input, going back: a value originates from the first input after which it is
/// present. Where one place of the memory holds the latest value of an input, as in `debounce` and `combine`, an equal value
/// replaces it unseen, and the latest one is its origin.
struct MemoryHistory {
  struct Value {
    let value: JSONValue
    /// Its origin; `nil` if that is older than the recording.
    var origin: Int?
    /// The signal that an older value may be from.
    var signal: String?
  }

  private(set) var values: [Value] = []
  /// The missing memory samples.
  private(set) var missing: Set<ProvenanceRecorder.Look> = []
  private let recorder: ProvenanceRecorder
  private let place: Int
  private let inputs: [Int]
  /// True if each value of the memory is the latest of one input, in the order of the inputs.
  private var holdsLatest = false
  /// The inputs of the place and its own activity, oldest first.
  private let past: [[Int]]
  /// The number of each that are still to be examined.
  private var counts: [Int]

  /// The maximum number of records examined.
  private static let limit = 20_000

  /// - Parameters:
  ///   - number: The number of the record.
  ///   - block: The number of samples requested at once.
  init(_ recorder: ProvenanceRecorder, of place: Int, before number: Int, _ steps: DeclaredSteps?, block: Int) {
    (self.recorder, self.place) = (recorder, place)
    let at = recorder.places[place]
    let bodies = recorder.bodies(around: at.body)
    inputs = (steps?.inputs[at.index] ?? []).flatMap { input in
      bodies.compactMap { recorder.number(of: ProvenanceRecorder.Place(signal: at.signal, body: $0, index: input)) }
    }
    let own = recorder.number(of: ProvenanceRecorder.Place(signal: at.signal, body: 0, index: at.index))
    past = inputs.map(recorder.events) + [own.map(recorder.workings) ?? []]
    counts = past.map { $0.count(below: number) }
    guard let present = look(before: number) else {
      ask(from: number, block)
      return
    }
    let isThere = present.map { $0 != nil }
    values = present.map { Value(value: $0 ?? .null) }
    if present.count == inputs.count {
      // With one input, only a value that is released later has been held instead of used.
      holdsLatest =
        inputs.count == 1 ? recorder.isRelease(number) : steps?.dependence(at.index) == .memory
    }
    follow(present, block)
    for index in values.indices where values[index].origin == nil && index < inputs.count {
      guard case .reference(let name)? = steps?.contents[recorder.places[inputs[index]].index],
        recorder.earlier[name]?.event.value == values[index].value
      else { continue }
      values[index].signal = name
    }
    values = zip(values, isThere).filter(\.1).map(\.0)
  }

  private func look(before number: Int) -> [JSONValue?]? {
    recorder.remembered[ProvenanceRecorder.Look(place: place, record: number)]
  }

  /// Goes back until the origin of each value is known.
  private mutating func follow(_ present: [JSONValue?], _ block: Int) {
    // For each open value, its index in the result and its index in the later memory.
    var open = present.indices.filter { present[$0] != nil }.map { (value: $0, index: $0) }
    var later = present
    for _ in 0..<Self.limit {
      guard !open.isEmpty, let earlier = next() else { return }
      guard let before = look(before: earlier) else { return ask(from: earlier, block) }
      let places = Alignment.places(of: later, in: before)
      var remaining: [(value: Int, index: Int)] = []
      for element in open {
        if let place = places[element.index], !replaces(element.index, values[element.value].value, earlier) {
          remaining.append((element.value, place))
        } else {
          values[element.value].origin = source(of: values[element.value].value, at: element.index, within: earlier)
        }
      }
      open = remaining
      later = before
    }
  }

  /// True if a record gave a place of the memory the value that it already held.
  private func replaces(_ index: Int, _ value: JSONValue, _ number: Int) -> Bool {
    guard holdsLatest, let record = recorder[number] else { return false }
    let given = if case .joined = record.kind { record.others } else { [number] }
    return given.contains { recorder[$0]?.value == value && recorder[$0]?.place == inputs[index] }
  }

  /// Returns the latest unexamined record.
  private mutating func next() -> Int? {
    var latest: (place: Int, number: Int)?
    for place in past.indices where counts[place] > 0 {
      let number = past[place][counts[place] - 1]
      if number > latest?.number ?? -1 { latest = (place, number) }
    }
    if let latest { counts[latest.place] -= 1 }
    return latest?.number
  }

  private mutating func ask(from number: Int, _ block: Int) {
    missing.insert(ProvenanceRecorder.Look(place: place, record: number))
    for _ in 0..<block {
      guard let earlier = next() else { return }
      missing.insert(ProvenanceRecorder.Look(place: place, record: earlier))
    }
  }

  /// Returns the event that produced a value: an output of the place, or its input.
  private func source(of value: JSONValue, at index: Int, within number: Int) -> Int? {
    let events = recorder.events(of: place)
    let made = events[events.count(below: number)...].prefix { recorder[$0]?.cause == number }
    if let last = made.last(where: { recorder[$0]?.value == value }) { return last }
    guard let record = recorder[number] else { return nil }
    guard case .joined = record.kind else { return record.event == nil ? nil : number }
    let given = record.others.filter { recorder[$0]?.value == value }
    return given.first { inputs.indices.contains(index) && recorder[$0]?.place == inputs[index] } ?? given.last
      ?? record.others.last
  }
}

/// The correspondence of the elements of two lists, one derived from the other.
enum Alignment {
  /// The maximum number of elements dropped from the front that is tried.
  private static let mostDropped = 64

  /// Returns the index of each element of a later list in an earlier one; `nil` for new elements.
  ///
  /// Minimizes the number of new elements. Among several solutions, prefers elements changed in place, appended at the
  /// end, or dropped from the front.
  static func places(of later: [JSONValue?], in earlier: [JSONValue?]) -> [Int?] {
    let difference = later.difference(from: earlier)
    let keptCount = later.count - difference.insertions.count
    for shift in 0...min(earlier.count, mostDropped) {
      let same = zip(later, earlier.dropFirst(shift)).map { $0 == $1 }
      guard same.count(where: \.self) == keptCount else { continue }
      return later.indices.map { same.indices.contains($0) && same[$0] ? $0 + shift : nil }
    }
    let (removed, inserted) = (offsets(difference.removals), offsets(difference.insertions))
    var kept = earlier.indices.filter { !removed.contains($0) }[...]
    return later.indices.map { inserted.contains($0) ? nil : kept.popFirst() }
  }

  private static func offsets(_ changes: [CollectionDifference<JSONValue?>.Change]) -> Set<Int> {
    Set(
      changes.map { change in
        switch change {
        case .insert(let offset, _, _), .remove(let offset, _, _): offset
        }
      })
  }
}

extension [Int] {
  /// Counts the elements below a number (sorted array, binary search).
  fileprivate func count(below number: Int) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle] < number { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
