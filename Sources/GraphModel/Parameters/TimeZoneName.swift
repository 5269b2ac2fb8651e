/// The name of a time zone, as a parameter.
package struct TimeZoneName: ParameterValue {
  package let name: String

  package static var typeName: String { "the name of a time zone" }
  package static var shape: ParameterShape { .text }

  package static func read(_ node: ConfigNode, _ reading: ParameterReading) -> TimeZoneName? {
    let reader = reading.reader(node)
    guard let name = reader.text() else { return nil }
    return reader.isTimeZone(name) ? TimeZoneName(name: name) : nil
  }
}
