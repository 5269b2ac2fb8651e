import GraphModel

/// Sorts the signals of all graphs so that each comes after everything that it is computed from.
struct SignalOrder {
  private let signals: [String: SignalDeclaration]
  private let mentions: Mentions
  private let problems: Problems
  private var state: [String: State] = [:]
  private var path: [String] = []
  private var order: [SignalDeclaration] = []

  private enum State { case open, done }

  /// Returns the order, stable with respect to the file; a cycle is reported and left out.
  static func of(_ signals: [SignalDeclaration], _ mentions: Mentions, _ problems: Problems) -> [SignalDeclaration] {
    var order = SignalOrder(
      signals: Dictionary(signals.map { ($0.name, $0) }) { first, _ in first }, mentions: mentions, problems: problems)
    for signal in signals { order.visit(signal, from: nil) }
    return order.order
  }

  private init(signals: [String: SignalDeclaration], mentions: Mentions, problems: Problems) {
    self.signals = signals
    self.mentions = mentions
    self.problems = problems
  }

  private mutating func visit(_ signal: SignalDeclaration, from reference: Extent?) {
    switch state[signal.name] {
    case .done: return
    case .open: return report(cycleTo: signal.name, at: reference ?? mentions[signal.name]?.place)
    case nil: break
    }
    state[signal.name] = .open
    path.append(signal.name)
    for (name, place) in mentions[signal.name]?.named ?? [] {
      if let upstream = signals[name] { visit(upstream, from: place) }
    }
    path.removeLast()
    state[signal.name] = .done
    order.append(signal)
  }

  private func report(cycleTo name: String, at place: Extent?) {
    guard let place else { return }
    let start = path.firstIndex(of: name) ?? path.startIndex
    let cycle = (path[start...] + [name]).reversed().joined(separator: " → ")
    problems.error(
      "a signal cannot depend on itself: \(cycle) (values flow in this direction); only send_to may close a cycle",
      at: place)
  }
}
