/// A filter of MQTT topics, as a parameter.
package struct MQTTFilter: ParameterValue {
  package let text: String

  /// True if it matches one topic alone, whose retained message a subscription receives.
  package var isFixed: Bool { !text.contains { $0 == "+" || $0 == "#" } && !text.hasPrefix("$share/") }

  package static var typeName: String { "a topic such as home/+/state" }
  package static var shape: ParameterShape { .text }

  package static func read(_ node: ConfigNode, _ reading: ParameterReading) -> MQTTFilter? {
    let reader = reading.reader(node)
    guard let text = reader.text() else { return nil }
    if reader.isOpen { return MQTTFilter(text: text) }
    if let problem = MQTTTopic.problem(inFilter: text) {
      reader.problems.error(problem, at: node)
      return nil
    }
    return MQTTFilter(text: text)
  }
}
