import JSON

/// Where the values came from that a place remembered right before something happened.
///
/// What it remembered is looked at before each thing that it was given, going back: a value came with the first thing
/// before which it was not there.
struct MemoryTrail {
  /// A value that it remembered.
  struct Value {
    let value: JSONValue
    /// What it came of; `nil` where that is longer ago than all that is known.
    var origin: Int?
    /// The signal that it may be a value of, where that is longer ago.
    var signal: String?
  }

  private(set) var values: [Value] = []
  /// The looks that it takes to know more.
  private(set) var missing: Set<Watch.Look> = []
  private let watch: Watch
  private let place: Int
  private let inputs: [Int]
  /// The things that the place was given, and the times at which it did something by itself, oldest first.
  private var past: [ArraySlice<Int>]

  /// As many of those are looked at, at most.
  private static let limit = 20_000

  /// - Parameters:
  ///   - number: What happened.
  ///   - block: How many looks are asked for at once.
  init(_ watch: Watch, of place: Int, before number: Int, _ steps: DeclaredSteps?, block: Int) {
    (self.watch, self.place) = (watch, place)
    let at = watch.places[place]
    let bodies = [at.body] + (watch.runs[at.body] ?? [])
    inputs = (steps?.inputs[at.index] ?? []).flatMap { input in
      bodies.compactMap { watch.number(of: Watch.Place(signal: at.signal, body: $0, index: input)) }
    }
    let own = watch.number(of: Watch.Place(signal: at.signal, body: 0, index: at.index))
    past = (inputs.map(watch.events) + [own.map(watch.workings) ?? []]).map { $0[..<$0.endOfNumbers(below: number)] }
    guard let present = look(before: number) else {
      ask(from: number, block)
      return
    }
    let isThere = present.map { $0 != nil }
    values = present.map { Value(value: $0 ?? .null) }
    follow(present, block)
    for index in values.indices where values[index].origin == nil && index < inputs.count {
      guard case .reference(let name)? = steps?.contents[watch.places[inputs[index]].index],
        watch.earlier[name]?.event.value == values[index].value
      else { continue }
      values[index].signal = name
    }
    values = zip(values, isThere).filter(\.1).map(\.0)
  }

  private func look(before number: Int) -> [JSONValue?]? {
    watch.remembered[Watch.Look(place: place, happening: number)]
  }

  /// Goes back until it is known of each value where it came from.
  private mutating func follow(_ present: [JSONValue?], _ block: Int) {
    // Of each value that is still to be found, its index there and its index in what was remembered later.
    var open = present.indices.filter { present[$0] != nil }.map { (value: $0, index: $0) }
    var later = present
    for _ in 0..<Self.limit {
      guard !open.isEmpty, let earlier = next() else { return }
      guard let before = look(before: earlier) else { return ask(from: earlier, block) }
      let places = Alignment.places(of: later, in: before)
      for entry in open where places[entry.index] == nil {
        values[entry.value].origin = source(of: values[entry.value].value, at: entry.index, within: earlier)
      }
      open = open.compactMap { entry in places[entry.index].map { (entry.value, $0) } }
      later = before
    }
  }

  /// The latest thing of the past.
  private mutating func next() -> Int? {
    let latest = past.indices.max { past[$0].last ?? -1 < past[$1].last ?? -1 }
    return latest.flatMap { past[$0].popLast() }
  }

  private mutating func ask(from number: Int, _ block: Int) {
    missing.insert(Watch.Look(place: place, happening: number))
    for _ in 0..<block {
      guard let earlier = next() else { return }
      missing.insert(Watch.Look(place: place, happening: earlier))
    }
  }

  /// The event that a value came with: what the place put out then, or what it was given.
  private func source(of value: JSONValue, at index: Int, within number: Int) -> Int? {
    let made = watch.events(of: place).first { $0 > number && watch[$0]?.cause == number && watch[$0]?.value == value }
    if let made { return made }
    guard let happening = watch[number] else { return nil }
    guard case .joined = happening.kind else { return happening.event == nil ? nil : number }
    let given = happening.others.filter { watch[$0]?.value == value }
    return given.first { inputs.indices.contains(index) && watch[$0]?.place == inputs[index] } ?? given.last
      ?? happening.others.last
  }
}

/// How two lists belong together, of which one has come of the other.
enum Alignment {
  /// The place of each element of a later list in an earlier one; `nil` of what is new.
  ///
  /// Elements were changed in place, added at the end, or dropped from the front.
  static func places(of later: [JSONValue?], in earlier: [JSONValue?]) -> [Int?] {
    var best: (count: Int, shift: Int) = (-1, 0)
    for shift in 0...max(0, earlier.count) {
      let count = zip(later, earlier.dropFirst(shift)).count { $0 == $1 }
      if count > best.count { best = (count, shift) }
      // No later one can be better.
      if best.count >= earlier.count - shift - 1 { break }
    }
    return later.indices.map { index in
      let place = index + best.shift
      return place < earlier.count && earlier[place] == later[index] ? place : nil
    }
  }
}

extension [Int] {
  /// How many of its numbers, which rise, are below another one.
  fileprivate func endOfNumbers(below number: Int) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle] < number { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
