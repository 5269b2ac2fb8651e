/// The declarations of the signals that are looked at, taken apart once each.
package final class DeclarationsInView {
  private let declarations: [String: SignalDeclaration]
  private let places: StepPlaces
  private var steps: [String: DeclaredSteps] = [:]
  /// The signals that send to each.
  private lazy var senders: [String: [String]] = {
    var senders: [String: [String]] = [:]
    for (name, declaration) in declarations {
      for target in declaration.body.targets { senders[target, default: []].append(name) }
    }
    return senders
  }()

  /// - Parameter places: Where the sources and operators stand, as far as that is known.
  package init(_ configuration: Configuration, _ places: StepPlaces = StepPlaces()) {
    declarations = Dictionary(configuration.graphs.flatMap(\.signals).map { ($0.name, $0) }) { first, _ in first }
    self.places = places
  }

  func declaration(of signal: String) -> SignalDeclaration? { declarations[signal] }

  func steps(of signal: String) -> DeclaredSteps? {
    if let known = steps[signal] { return known }
    let made = declarations[signal].map { DeclaredSteps(of: $0) }
    steps[signal] = made
    return made
  }

  /// The signals that a signal is computed from, itself and those that send to them included.
  func contributors(to signal: String) -> Set<String> {
    var found: Set<String> = []
    var open = [signal]
    while let name = open.popLast() {
      guard found.insert(name).inserted, let declaration = declarations[name] else { continue }
      open += declaration.upstream + (senders[name] ?? [])
    }
    return found
  }

  func place(of signal: String) -> DeclarationPlace? { declarations[signal]?.place }

  /// The place of a source or an operator.
  func place(of signal: String, step index: Int) -> DeclarationPlace? { places[signal, index] ?? place(of: signal) }
}
