/// The sources and operators of a signal's declaration by their places, and who hears whom.
struct DeclaredSteps {
  enum Content {
    case step(any PreparedStep)
    /// Where it hears another signal.
    case reference(String)
  }

  private(set) var contents: [Int: Content] = [:]
  /// The places from which each source or operator is given something.
  private(set) var inputs: [Int: [Int]] = [:]
  /// The source or operator that hears each place; none hears the last one.
  private(set) var listeners: [Int: Int] = [:]

  init(of declaration: SignalDeclaration) { _ = add(declaration.body) }

  /// - Returns: The place of its last step.
  private mutating func add(_ body: SignalBody) -> Int {
    add(body.source, behind: nil)
    return body.pipe.reduce(body.source.ranks.exit) { before, step in
      add(step, behind: before)
      return step.ranks.exit
    }
  }

  private mutating func add(_ step: any PreparedStep, behind before: Int?) {
    let place = step.ranks.exit
    let references = step.references.map { reference in
      switch reference.target {
      case .named(let name):
        contents[reference.index] = .reference(name)
        return reference.index
      case .inline(let body): return add(body)
      }
    }
    // The operators within it stand between what it is given and what it puts out.
    let within = (step as? any PreparedOperator)?.steps ?? []
    let last = within.reduce(before) { before, step in
      add(step, behind: before)
      return step.ranks.exit
    }
    contents[place] = .step(step)
    inputs[place] = (before.map { [$0] } ?? []) + references + (within.isEmpty ? [] : last.map { [$0] } ?? [])
    for input in inputs[place] ?? [] { listeners[input] = place }
  }

  /// The name of the source or operator at a place.
  func name(_ place: Int) -> String? {
    if case .step(let step)? = contents[place] { step.name } else { nil }
  }
}
