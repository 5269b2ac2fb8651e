import GraphModel

/// The sources and operators of a declaration by index, and the connections between them.
struct DeclaredSteps {
  enum Content {
    case step(any PreparedStep)
    /// A reference to another signal.
    case reference(String)
  }

  private(set) var contents: [Int: Content] = [:]
  /// The inputs of each source or operator.
  private(set) var inputs: [Int: [Int]] = [:]
  /// The source or operator downstream of each index; the last one has none.
  private(set) var downstream: [Int: Int] = [:]

  init(of declaration: SignalDeclaration) { _ = add(declaration.body) }

  /// - Returns: The index of its last step.
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
    // Nested operators are connected between the step's input and its output.
    let within = (step as? any PreparedOperator)?.steps ?? []
    let last = within.reduce(before) { before, step in
      add(step, behind: before)
      return step.ranks.exit
    }
    contents[place] = .step(step)
    inputs[place] = (before.map { [$0] } ?? []) + references + (within.isEmpty ? [] : last.map { [$0] } ?? [])
    for input in inputs[place] ?? [] { downstream[input] = place }
  }

  /// Returns the extent of earlier events that an output depends on.
  func dependence(_ place: Int) -> Dependence {
    if case .step(let step)? = contents[place] { step.dependence } else { .event }
  }

  /// Returns the number of sources and operators downstream of an index.
  func count(behind place: Int) -> Int {
    var (count, next) = (0, downstream[place])
    while let place = next {
      count += 1
      next = downstream[place]
    }
    return count
  }

  /// Returns the name of the source or operator at an index.
  func name(_ place: Int) -> String? {
    if case .step(let step)? = contents[place] { step.name } else { nil }
  }
}
