// The readers of parameters that name signals.

extension SignalReference: ParameterValue {
  package static var typeName: String { "a signal" }
  package static var shape: ParameterShape { .signal }
  package static func read(_ node: ConfigNode, _ reading: ParameterReading) -> SignalReference? {
    reading.reader.seeing(reading.variables) { reading.reader.reference(node) }
  }
  package var references: [SignalReference] { [self] }
}

extension SignalList: ParameterValue {
  package static var typeName: String { "a list of signals, or a map of them" }
  package static var shape: ParameterShape { .signals }

  package static func read(_ node: ConfigNode, _ reading: ParameterReading) -> SignalList? {
    let nodes: [ConfigNode]
    switch node.content {
    case .sequence(let elements): nodes = elements
    case .mapping(let entries): nodes = entries.map(\.value)
    case .scalar:
      reading.reader(node).refuse(expected: typeName)
      return nil
    }
    guard !nodes.isEmpty else {
      reading.reader.problems.error("expected at least one signal", at: node)
      return nil
    }
    let references = nodes.compactMap { reading.reader.reference($0) }
    guard references.count == nodes.count else { return nil }
    return SignalList(references: references, labels: node.entries?.map(\.name))
  }
}

/// Signals by the keys that select them.
package struct SignalCases: ParameterValue {
  /// The keys and their signals, in the order of the file.
  package let all: [(key: String, signal: SignalReference)]

  package var references: [SignalReference] { all.map(\.signal) }

  package static var typeName: String { "a map of signals" }
  package static var shape: ParameterShape { .cases }

  package static func read(_ node: ConfigNode, _ reading: ParameterReading) -> SignalCases? {
    guard let entries = node.entries else {
      reading.reader(node).refuse(expected: "a map with a signal for each key")
      return nil
    }
    guard !entries.isEmpty else {
      reading.reader.problems.error(
        "expected at least one case, a signal for each key, found an empty map", at: node)
      return nil
    }
    let references = entries.compactMap { reading.reader.reference($0.value) }
    guard references.count == entries.count else { return nil }
    return SignalCases(all: zip(entries, references).map { (key: $0.name, signal: $1) })
  }
}

/// Operators on a stream other than the signal's own source.
package struct PipeParameter: ParameterValue {
  package let steps: [any PreparedOperator]

  package static var typeName: String { "a list of operators" }
  package static var shape: ParameterShape { .pipe }

  package static func read(_ node: ConfigNode, _ reading: ParameterReading) -> PipeParameter? {
    guard let steps = reading.reader.seeing(reading.variables, { reading.reader.pipe(node) }) else {
      return nil
    }
    if let step = steps.first(where: { $0.startsItsInput }) {
      reading.reader.problems.error("\(step.name) starts its source, but a group has no source", at: node)
      return nil
    }
    return PipeParameter(steps: steps)
  }

  package var references: [SignalReference] { steps.flatMap(\.references) }
  package var targets: [String] { steps.flatMap(\.targets) }
  package var calls: [String] { steps.flatMap(\.calls) }
}
