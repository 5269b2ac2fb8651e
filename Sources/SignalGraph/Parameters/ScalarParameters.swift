import Base
import JSON

// The readers of the simple types of parameters.

extension ParameterReading {
  func reader(_ node: ConfigNode) -> Reader { reader.context.reader(node) }
}

extension Duration: ParameterValue {
  static var typeName: String { "a duration" }
  static var shape: ParameterShape { .duration }
  var defaultText: String? { DurationText.written(self) }
  static func read(_ node: ConfigNode, _ reading: ParameterReading) -> Duration? { reading.reader(node).duration() }

  /// The duration in seconds, the unit of the reactive core.
  var seconds: Double {
    Double(components.seconds) + Double(components.attoseconds) / 1e18
  }
}

extension Int: ParameterValue {
  static var typeName: String { "an integer" }
  static var shape: ParameterShape { .integer }
  static var isBounded: Bool { true }
  static func read(_ node: ConfigNode, _ reading: ParameterReading) -> Int? {
    reading.reader(node).int(in: reading.minimum...reading.maximum)
  }
}

extension Double: ParameterValue {
  static var typeName: String { "a number" }
  static var shape: ParameterShape { .number }
  var defaultText: String? { JSONValue.number(self).description }
  static func read(_ node: ConfigNode, _ reading: ParameterReading) -> Double? { reading.reader(node).number() }
}

extension Bool: ParameterValue {
  static var typeName: String { "true or false" }
  static var shape: ParameterShape { .boolean }
  static func read(_ node: ConfigNode, _ reading: ParameterReading) -> Bool? { reading.reader(node).bool() }
}

extension String: ParameterValue {
  static var typeName: String { "a text" }
  static var shape: ParameterShape { .text }
  var defaultText: String? { JSONValue.string(self).description }
  static func read(_ node: ConfigNode, _ reading: ParameterReading) -> String? { reading.reader(node).text() }
}

extension JSONValue: ParameterValue {
  static var typeName: String { "a value" }
  static var shape: ParameterShape { .value }
  static func read(_ node: ConfigNode, _ reading: ParameterReading) -> JSONValue? { reading.reader(node).literal() }
}

extension [JSONValue]: ParameterValue {
  static var typeName: String { "a list of values" }
  static var shape: ParameterShape { .values }
  static func read(_ node: ConfigNode, _ reading: ParameterReading) -> [JSONValue]? {
    guard let list = reading.reader(node).list() else { return nil }
    let values = list.map { $0.literal() }
    return values.contains { $0 == nil } ? nil : values.compactMap(\.self)
  }
}

/// A parameter that carries no information beyond its presence: `empty: true`.
struct Presence: ParameterValue {
  static var typeName: String { "true" }
  static var shape: ParameterShape { .presence }
  static func read(_ node: ConfigNode, _ reading: ParameterReading) -> Presence? {
    guard let isPresent = reading.reader(node).bool() else { return nil }
    if !isPresent { reading.reader.problems.error("\(reading.name) can only be true", at: node) }
    return Presence()
  }
}
