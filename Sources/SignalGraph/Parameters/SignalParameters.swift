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
  static var typeName: String { "a list of signals, or a map of them" }
  static var shape: ParameterShape { .signals }

  static func read(_ node: ConfigNode, _ reading: ParameterReading) -> SignalList? {
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
struct SignalCases: ParameterValue {
  let signals: [String: SignalReference]
  /// The signals in the order of the file.
  let references: [SignalReference]

  static var typeName: String { "a map of signals" }
  static var shape: ParameterShape { .cases }

  static func read(_ node: ConfigNode, _ reading: ParameterReading) -> SignalCases? {
    guard let entries = node.entries, !entries.isEmpty else {
      reading.reader(node).refuse(expected: "a map with a signal for each key")
      return nil
    }
    let references = entries.compactMap { reading.reader.reference($0.value) }
    guard references.count == entries.count else { return nil }
    return SignalCases(
      signals: Dictionary(zip(entries.map(\.name), references)) { first, _ in first }, references: references)
  }
}

/// Operators on a stream other than the signal's own source.
struct PipeParameter: ParameterValue {
  let steps: [any PreparedOperator]

  static var typeName: String { "a list of operators" }
  static var shape: ParameterShape { .pipe }

  static func read(_ node: ConfigNode, _ reading: ParameterReading) -> PipeParameter? {
    guard let steps = reading.reader.seeing(reading.variables, { reading.reader.pipe(node) }) else {
      return nil
    }
    if let step = steps.first(where: { $0.startsItsInput }) {
      reading.reader.problems.error("\(step.name) starts its source, but a group has no source", at: node)
      return nil
    }
    return PipeParameter(steps: steps)
  }

  var references: [SignalReference] { steps.flatMap(\.references) }
  var targets: [String] { steps.flatMap(\.targets) }
  var calls: [String] { steps.flatMap(\.calls) }
}
