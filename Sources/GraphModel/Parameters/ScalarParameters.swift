import Base
package import JSON

// The readers of the simple types of parameters.

extension ParameterReading {
  package func reader(_ node: ConfigNode) -> Reader { reader.context.reader(node) }
}

extension Duration: ParameterValue {
  package static var typeName: String { "a duration" }
  package static var shape: ParameterShape { .duration }
  package var defaultText: String? { DurationText.written(self) }
  package static func read(_ node: ConfigNode, _ reading: ParameterReading) -> Duration? {
    reading.reader(node).duration(in: reading.shortest...DurationText.longest)
  }

  /// The duration in seconds, the unit of the reactive core.
  package var seconds: Double {
    Double(components.seconds) + Double(components.attoseconds) / 1e18
  }
}

extension Int: ParameterValue {
  package static var typeName: String { "an integer" }
  package static var shape: ParameterShape { .integer }
  package static var isBounded: Bool { true }
  package static func read(_ node: ConfigNode, _ reading: ParameterReading) -> Int? {
    reading.reader(node).int(in: reading.minimum...reading.maximum)
  }
}

extension Double: ParameterValue {
  package static var typeName: String { "a number" }
  package static var shape: ParameterShape { .number }
  package var defaultText: String? { JSONValue.number(self).description }
  package static func read(_ node: ConfigNode, _ reading: ParameterReading) -> Double? { reading.reader(node).number() }
}

extension Bool: ParameterValue {
  package static var typeName: String { "true or false" }
  package static var shape: ParameterShape { .boolean }
  package static func read(_ node: ConfigNode, _ reading: ParameterReading) -> Bool? { reading.reader(node).bool() }
}

extension String: ParameterValue {
  package static var typeName: String { "a text" }
  package static var shape: ParameterShape { .text }
  package var defaultText: String? { JSONValue.string(self).description }
  package static func read(_ node: ConfigNode, _ reading: ParameterReading) -> String? { reading.reader(node).text() }
}

extension JSONValue: ParameterValue {
  package static var typeName: String { "a value" }
  package static var shape: ParameterShape { .value }
  package static func read(_ node: ConfigNode, _ reading: ParameterReading) -> JSONValue? {
    reading.reader(node).literal()
  }
}

extension [JSONValue]: ParameterValue {
  package static var typeName: String { "a list of values" }
  package static var shape: ParameterShape { .values }
  package static func read(_ node: ConfigNode, _ reading: ParameterReading) -> [JSONValue]? {
    guard let list = reading.reader(node).list() else { return nil }
    let values = list.map { $0.literal() }
    return values.contains { $0 == nil } ? nil : values.compactMap(\.self)
  }
}

/// A parameter that carries no information beyond its presence: `empty: true`.
package struct Presence: ParameterValue {
  package static var typeName: String { "true" }
  package static var shape: ParameterShape { .presence }
  package static func read(_ node: ConfigNode, _ reading: ParameterReading) -> Presence? {
    guard let isPresent = reading.reader(node).bool() else { return nil }
    if !isPresent { reading.reader.problems.error("\(reading.name) can only be true", at: node) }
    return Presence()
  }
}
