/// A pattern of NATS subjects, as a parameter.
package struct NATSPattern: ParameterValue {
  package let text: String

  package static var typeName: String { "a subject such as sensors.*" }
  package static var shape: ParameterShape { .text }

  package static func read(_ node: ConfigNode, _ reading: ParameterReading) -> NATSPattern? {
    let reader = reading.reader(node)
    guard let text = reader.text() else { return nil }
    if reader.isOpen { return NATSPattern(text: text) }
    if let problem = NATSSubject.problem(inPattern: text) {
      reader.problems.error(problem, at: node)
      return nil
    }
    return NATSPattern(text: text)
  }
}

/// The name of a stream, a consumer or a queue, as a parameter.
package struct NATSName: ParameterValue {
  package let text: String

  package static var typeName: String { "a name" }
  package static var shape: ParameterShape { .text }

  package static func read(_ node: ConfigNode, _ reading: ParameterReading) -> NATSName? {
    let reader = reading.reader(node)
    guard let text = reader.text() else { return nil }
    if reader.isOpen { return NATSName(text: text) }
    if let problem = NATSSubject.problem(inName: text) {
      reader.problems.error(problem, at: node)
      return nil
    }
    return NATSName(text: text)
  }
}
