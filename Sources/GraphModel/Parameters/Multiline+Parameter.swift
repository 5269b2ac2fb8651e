import Base

extension Multiline: ParameterValue {
  package static var typeName: String { "an expression, or {begins, wait}" }
  package static var shape: ParameterShape { .multiline }
  package var defaultText: String? { nil }

  package static func read(_ node: ConfigNode, _ reading: ParameterReading) -> Multiline? {
    guard node.entries != nil else { return GraphExpression.read(node, reading).map { Multiline(begins: $0) } }
    guard let mapping = reading.reader(node).mapping(of: ["begins", "wait"]) else { return nil }
    let begins = mapping.required("begins").map { GraphExpression.read($0.node, reading) }
    let wait = mapping.optional("wait").map { $0.duration(in: .milliseconds(1)...DurationText.longest) }
    guard let begins = begins ?? nil else { return nil }
    guard let wait else { return Multiline(begins: begins) }
    return wait.map { Multiline(begins: begins, wait: $0) }
  }
}
