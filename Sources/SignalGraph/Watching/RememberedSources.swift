import JSON

/// Where the values came from that a place remembered: from what it was given before, or what it put out.
struct RememberedSources {
  private let watch: Watch
  /// The events of each place that may have given something, oldest first.
  private var events: [ArraySlice<Int>]
  private let isExcluded: (Int) -> Bool
  /// Those that have been looked at and not taken, latest first.
  private var passed: [Int] = []
  private var count = 0

  /// How far back they are looked for.
  static let limit = 10_000

  /// - Parameters:
  ///   - number: The happening before which it remembered them, and that happening.
  ///   - place: The place that did.
  init(_ watch: Watch, before number: Int, _ happening: Happening, of place: Int, _ steps: DeclaredSteps?) {
    self.watch = watch
    let (signal, body, index) = (watch.places[place].signal, watch.places[place].body, watch.places[place].index)
    let bodies = [body] + (watch.runs[body] ?? [])
    let inputs = (steps?.inputs[index] ?? []).flatMap { input in
      bodies.compactMap { watch.number(of: Watch.Place(signal: signal, body: $0, index: input)) }
    }
    events = ([place] + inputs).map { place in
      let events = watch.events(of: place)
      return events[..<events.endOfNumbers(below: number)]
    }
    // What a join has collected in this turn it has not taken in yet.
    let isJoin = if case .joined = happening.kind { true } else { false }
    isExcluded = { isJoin && happening.others.contains($0) }
  }

  /// All of them.
  var all: [Int] { events.flatMap { $0 }.filter { !isExcluded($0) } }

  /// The latest event with a value that has not been taken.
  mutating func take(_ value: JSONValue) -> Int? {
    if let index = passed.firstIndex(where: { watch[$0]?.value == value }) { return passed.remove(at: index) }
    while count < Self.limit, let next = next() {
      count += 1
      if watch[next]?.value == value { return next }
      passed.append(next)
    }
    return nil
  }

  private mutating func next() -> Int? {
    while let latest = events.indices.max(by: { events[$0].last ?? -1 < events[$1].last ?? -1 }),
      let number = events[latest].popLast()
    {
      if !isExcluded(number) { return number }
    }
    return nil
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
