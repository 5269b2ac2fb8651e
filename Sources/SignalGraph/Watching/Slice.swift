import JSON

/// The entries that something was made of, however far back.
struct Slice {
  private(set) var entries: Set<Int> = []
  /// The looks at memories that it would have liked to see.
  private(set) var looks: Set<Watch.Look> = []
  private let watch: Watch
  private let declarations: DeclarationsInView
  private let isThorough: Bool
  private let block: Int
  private var open: [Int]
  private var seen: Set<Int>

  /// - Parameters:
  ///   - isThorough: Whether an operator that remembers anything counts as made of all that it was ever given; else only
  ///     of what it remembered.
  ///   - block: How many looks are asked for at once.
  init(of number: Int, in watch: Watch, _ declarations: DeclarationsInView, isThorough: Bool, block: Int = 0) {
    (self.watch, self.declarations, self.isThorough, self.block) = (watch, declarations, isThorough, block)
    (open, seen) = ([number], [number])
    while let next = open.popLast() { follow(next) }
  }

  private mutating func add(_ number: Int?) {
    if let number, seen.insert(number).inserted { open.append(number) }
  }

  private mutating func follow(_ number: Int) {
    guard let happening = watch[number] else { return }
    happening.others.forEach { add($0) }
    switch happening.kind {
    case .entry(let entry): entries.insert(entry)
    case .told: add(happening.cause)
    case .output: follow(number, output: happening)
    case .joined, .timer, .sent, .refused: break
    }
  }

  private mutating func follow(_ number: Int, output happening: Happening) {
    add(happening.cause)
    guard let place = happening.place else { return }
    let steps = declarations.steps(of: watch.places[place].signal)
    if case .reference(let name)? = steps?.contents[watch.places[place].index] {
      let isHeard =
        happening.cause.flatMap { watch[$0] }.map { if case .told = $0.kind { true } else { false } } ?? false
      if !isHeard { add(watch.told(by: name, like: happening, before: number)) }
    }
    guard watch.remembersAnything(at: place), let before = happening.cause else { return }
    if isThorough { return followAll(of: place, before: before, steps) }
    let trail = MemoryTrail(watch, of: place, before: before, steps, block: block)
    looks.formUnion(trail.missing)
    for value in trail.values { add(value.origin) }
  }

  /// Takes all that a place was ever given for something that it is made of.
  private mutating func followAll(of place: Int, before number: Int, _ steps: DeclaredSteps?) {
    let at = watch.places[place]
    for body in watch.bodies(around: at.body) {
      for input in (steps?.inputs[at.index] ?? []) {
        guard let input = watch.number(of: Watch.Place(signal: at.signal, body: body, index: input)) else { continue }
        for event in watch.events(of: input) where event < number { add(event) }
      }
    }
  }
}
