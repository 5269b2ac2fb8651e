package import GraphModel

/// The declarations of the explained signals, each analysed once.
package final class DeclarationsInView {
  private let declarations: [String: SignalDeclaration]
  private let places: StepPlaces
  private var steps: [String: DeclaredSteps] = [:]
  /// The signals that send to each signal.
  private lazy var senders: [String: [String]] = {
    var senders: [String: [String]] = [:]
    for (name, declaration) in declarations {
      for target in declaration.body.targets { senders[target, default: []].append(name) }
    }
    return senders
  }()

  /// - Parameter places: The places of sources and operators, as far as known.
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

  /// Returns the upstream signals of a signal, including itself and those that send to them, each with the number of
  /// signals on the shortest path.
  package func distances(to signal: String) -> [String: Int] {
    var found = [signal: 0]
    var open = [signal]
    while !open.isEmpty {
      var next: [String] = []
      for name in open {
        guard let declaration = declarations[name], let distance = found[name] else { continue }
        for neighbour in declaration.upstream + (senders[name] ?? []) where found[neighbour] == nil {
          found[neighbour] = distance + 1
          next.append(neighbour)
        }
      }
      open = next
    }
    return found
  }

  func place(of signal: String) -> DeclarationPlace? { declarations[signal]?.place }

  /// Returns the place of a source or an operator.
  func place(of signal: String, step index: Int) -> DeclarationPlace? { places[signal, index] ?? place(of: signal) }
}
