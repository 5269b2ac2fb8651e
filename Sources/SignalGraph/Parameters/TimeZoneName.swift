/// The name of a time zone, as a parameter.
struct TimeZoneName: ParameterValue {
  let name: String

  static var typeName: String { "the name of a time zone" }
  static var shape: ParameterShape { .text }

  static func read(_ node: ConfigNode, _ reading: ParameterReading) -> TimeZoneName? {
    let reader = reading.reader(node)
    guard let name = reader.text() else { return nil }
    return reader.isTimeZone(name) ? TimeZoneName(name: name) : nil
  }
}
