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
  private let past: [[Int]]
  /// How many of each have not been looked at.
  private var counts: [Int]

  /// As many of those are looked at, at most.
  private static let limit = 20_000

  /// - Parameters:
  ///   - number: What happened.
  ///   - block: How many looks are asked for at once.
  init(_ watch: Watch, of place: Int, before number: Int, _ steps: DeclaredSteps?, block: Int) {
    (self.watch, self.place) = (watch, place)
    let at = watch.places[place]
    let bodies = watch.bodies(around: at.body)
    inputs = (steps?.inputs[at.index] ?? []).flatMap { input in
      bodies.compactMap { watch.number(of: Watch.Place(signal: at.signal, body: $0, index: input)) }
    }
    let own = watch.number(of: Watch.Place(signal: at.signal, body: 0, index: at.index))
    past = inputs.map(watch.events) + [own.map(watch.workings) ?? []]
    counts = past.map { $0.count(below: number) }
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
      for element in open where places[element.index] == nil {
        values[element.value].origin = source(of: values[element.value].value, at: element.index, within: earlier)
      }
      open = open.compactMap { element in places[element.index].map { (element.value, $0) } }
      later = before
    }
  }

  /// The latest thing of the past.
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
    missing.insert(Watch.Look(place: place, happening: number))
    for _ in 0..<block {
      guard let earlier = next() else { return }
      missing.insert(Watch.Look(place: place, happening: earlier))
    }
  }

  /// The event that a value came with: what the place put out then, or what it was given.
  private func source(of value: JSONValue, at index: Int, within number: Int) -> Int? {
    let events = watch.events(of: place)
    let made = events[events.count(below: number)...].prefix { watch[$0]?.cause == number }
    if let last = made.last(where: { watch[$0]?.value == value }) { return last }
    guard let happening = watch[number] else { return nil }
    guard case .joined = happening.kind else { return happening.event == nil ? nil : number }
    let given = happening.others.filter { watch[$0]?.value == value }
    return given.first { inputs.indices.contains(index) && watch[$0]?.place == inputs[index] } ?? given.last
      ?? happening.others.last
  }
}

/// How two lists belong together, of which one has come of the other.
enum Alignment {
  /// How many elements may have been dropped from the front, for that to be tried.
  private static let mostDropped = 64

  /// The place of each element of a later list in an earlier one; `nil` of what is new.
  ///
  /// As few as can be count as new. Where there are several ways, elements were changed in place, added at the end, or
  /// dropped from the front.
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
  /// How many of its numbers, which rise, are below another one.
  fileprivate func count(below number: Int) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle] < number { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
