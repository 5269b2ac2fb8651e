import JSON
import ReactiveCore

/// Makes an explanation of what was watched.
struct ExplanationBuilder {
  private let watch: Watch
  private let declarations: DeclarationsInView
  /// The looks at memories that it would have liked to see.
  private(set) var looks: Set<Watch.Look> = []
  private var told: Set<Int> = []
  private var nodeCount = 0

  /// How many nodes a tree has at most.
  static let limit = 5000

  /// How many looks are asked for at once.
  private let block: Int

  init(_ watch: Watch, _ declarations: DeclarationsInView, block: Int) {
    (self.watch, self.declarations, self.block) = (watch, declarations, block)
  }

  /// How something came about.
  ///
  /// - Parameter depth: How many steps back what was read besides is followed.
  mutating func node(_ number: Int, depth: Int) -> Explanation.Node {
    guard let happening = watch[number] else { return unknown(in: "", nil) }
    nodeCount += 1
    switch happening.kind {
    case .entry(let entry): return node(happening, .entry(entry), in: "")
    case .told: return told(number, happening, depth)
    case .output: return output(number, happening, depth)
    case .timer: return node(happening, .timer, in: signal(of: happening))
    case .sent: return sent(happening, depth)
    case .joined, .refused: return happening.cause.map { node($0, depth: depth) } ?? unknown(in: "", nil)
    }
  }

  private func signal(of happening: Happening) -> String { happening.place.map { watch.places[$0].signal } ?? "" }

  private func node(_ happening: Happening, _ subject: Explanation.Node.Subject, in signal: String) -> Explanation.Node
  {
    Explanation.Node(
      subject: subject, signal: signal, event: happening.event, instant: happening.instant,
      microseconds: happening.microseconds)
  }

  private func unknown(in signal: String, _ event: SignalEvent?) -> Explanation.Node {
    Explanation.Node(subject: .unknown, signal: signal, event: event, instant: .zero, microseconds: 0)
  }

  private mutating func told(_ number: Int, _ happening: Happening, _ depth: Int) -> Explanation.Node {
    let signal = signal(of: happening)
    var node = node(happening, .signal, in: signal)
    node.place = declarations.place(of: signal)
    if isToGoOn(&node, number), let cause = happening.cause { node.given = [self.node(cause, depth: depth)] }
    return node
  }

  /// Whether something is told for the first time, and there is room for what led to it; else the node says so.
  private mutating func isToGoOn(_ node: inout Explanation.Node, _ number: Int) -> Bool {
    if told.contains(number) {
      node.isRepeated = true
    } else if nodeCount >= Self.limit {
      node.isCut = true
    } else {
      told.insert(number)
      return true
    }
    return false
  }

  private mutating func sent(_ happening: Happening, _ depth: Int) -> Explanation.Node {
    var node = node(happening, .sent, in: signal(of: happening))
    node.given = happening.others.map { self.node($0, depth: depth) }
    return node
  }

  // MARK: Sources and operators

  private mutating func output(_ number: Int, _ happening: Happening, _ depth: Int) -> Explanation.Node {
    guard let place = happening.place else { return unknown(in: "", happening.event) }
    let (signal, index) = (watch.places[place].signal, watch.places[place].index)
    switch declarations.steps(of: signal)?.contents[index] {
    case .reference(let name)?: return heard(name, number, happening, depth)
    case .step(let step)?:
      var node = node(happening, .step(step.name), in: signal)
      node.place = declarations.place(of: signal, step: index)
      if isToGoOn(&node, number) { explain(&node, place, happening, depth) }
      return node
    case nil: return unknown(in: signal, happening.event)
    }
  }

  /// Something that was heard of another signal: then, or a value that it held.
  private mutating func heard(_ name: String, _ number: Int, _ happening: Happening, _ depth: Int) -> Explanation.Node {
    if let cause = happening.cause, let before = watch[cause], case .told = before.kind, signal(of: before) == name {
      return node(cause, depth: depth)
    }
    let held = watch.told(by: name, like: happening, before: number)
    if let held { return node(held, depth: depth) }
    return earlier(name).flatMap { $0.event?.isSame(as: happening.event) ?? false ? $0 : nil }
      ?? unknown(in: name, happening.event)
  }

  private mutating func explain(
    _ node: inout Explanation.Node, _ place: Int, _ happening: Happening, _ depth: Int
  ) {
    guard let number = happening.cause, let cause = watch[number] else { return }
    if case .joined = cause.kind {
      node.given = cause.others.map { self.node($0, depth: depth) }
    } else {
      node.given = [self.node(number, depth: depth)]
    }
    let isTimer = if case .timer = cause.kind { true } else { false }
    for remembered in memory(of: place, before: number) {
      // A value that was held and is let go now is what it was given, earlier.
      if isTimer, let origin = remembered.origin, remembered.value == happening.value {
        node.given.append(self.node(origin, depth: depth))
      } else {
        node.read.append(
          remembered.signal.map { earlier($0, remembered.value) }
            ?? read(.remembered, remembered.value, remembered.origin, depth))
      }
    }
    if let chooser = chooser(of: cause, behind: happening), let value = watch[chooser]?.value {
      node.read.append(read(.chosen, value, chooser, depth))
    }
  }

  /// A value that a signal had told before all that was worked out.
  private func earlier(_ signal: String, _ value: JSONValue) -> Explanation.Read {
    Explanation.Read(role: .remembered, value: value, origin: earlier(signal))
  }

  private func earlier(_ signal: String) -> Explanation.Node? {
    watch.earlier[signal].map { earlier in
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

  /// The event of another signal that something is, where it was only passed on.
  private func passedOn(_ number: Int) -> Int {
    guard let happening = watch[number], case .output = happening.kind, let cause = happening.cause,
      let place = happening.place, let steps = declarations.steps(of: watch.places[place].signal)
    else { return number }
    let index = watch.places[place].index
    if case .reference(let name)? = steps.contents[index] {
      return watch.told(by: name, like: happening, before: number) ?? number
    }
    return steps.name(index) == "from" ? passedOn(cause) : number
  }

  /// Something without what led to it.
  private func leaf(_ number: Int) -> Explanation.Node {
    guard let happening = watch[number], let place = happening.place else { return unknown(in: "", nil) }
    let (signal, index) = (watch.places[place].signal, watch.places[place].index)
    switch declarations.steps(of: signal)?.contents[index] {
    case .reference(let name)?:
      let told = watch.told(by: name, like: happening, before: number)
      return told.flatMap { watch[$0] }.map { node($0, .signal, in: name) } ?? unknown(in: name, happening.event)
    case .step(let step)?:
      var node = node(happening, .step(step.name), in: signal)
      node.place = declarations.place(of: signal, step: index)
      return node
    case nil: return node(happening, .signal, in: signal)
    }
  }

  /// The values that a place remembered right before something, the newest first.
  private mutating func memory(of place: Int, before number: Int) -> [MemoryTrail.Value] {
    guard watch.placesWithMemory.contains(place) else { return [] }
    let steps = declarations.steps(of: watch.places[place].signal)
    let trail = MemoryTrail(watch, of: place, before: number, steps, block: block)
    looks.formUnion(trail.missing)
    return trail.values.reversed()
  }

  /// The event for which the run was started that something came from, where that is not told anyway.
  private func chooser(of cause: Happening, behind happening: Happening) -> Int? {
    guard let place = cause.place, let own = happening.place, watch.places[place].body != watch.places[own].body,
      watch.places[place].signal == watch.places[own].signal, let origin = watch.origins[watch.places[place].body]
    else { return nil }
    var next: Happening? = cause
    while let earlier = next?.cause {
      if earlier == origin { return nil }
      next = watch[earlier]
    }
    if case .joined? = watch[origin]?.kind { return watch[origin]?.others.last }
    return origin
  }
}
