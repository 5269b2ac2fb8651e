// How parameters that name signals read themselves.

extension SignalReference: ParameterValue {
  static var typeName: String { "a signal" }
  static var shape: ParameterShape { .signal }
  static func read(_ node: ConfigNode, _ reading: ParameterReading) -> SignalReference? {
    reading.reader.seeing(reading.variables) { reading.reader.reference(node) }
  }
  var references: [SignalReference] { [self] }
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
