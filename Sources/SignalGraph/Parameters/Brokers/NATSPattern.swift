/// A pattern of NATS subjects, as a parameter.
struct NATSPattern: ParameterValue {
  let text: String

  static var typeName: String { "a subject such as sensors.*" }
  static var shape: ParameterShape { .text }

  static func read(_ node: ConfigNode, _ reading: ParameterReading) -> NATSPattern? {
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
struct NATSName: ParameterValue {
  let text: String

  static var typeName: String { "a name" }
  static var shape: ParameterShape { .text }

  static func read(_ node: ConfigNode, _ reading: ParameterReading) -> NATSName? {
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
