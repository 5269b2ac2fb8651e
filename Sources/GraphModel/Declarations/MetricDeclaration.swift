import Base
import JSON

/// A metric whose samples are values of a signal.
package struct MetricDeclaration: Sendable {
  package enum Kind: String, CaseIterable, Sendable {
    case gauge, counter
  }

  /// A label, whose text an expression makes from a value.
  package struct Label: Sendable {
    package let name: String
    package let value: GraphExpression

    package init(name: String, value: GraphExpression) {
      self.name = name
      self.value = value
    }
  }

  /// The name of the family: with the unit, without the suffix of counters.
  package var name: String
  package let kind: Kind
  package var help: String
  /// The unit in the words of OpenMetrics, the last part of the name.
  package let unit: String?
  package let labels: [Label]
  /// True if the file gives labels, or that there are none.
  private let hasGivenLabels: Bool
  /// The labels of the keys of `group_by`, from the outermost, where the file gives no labels.
  package private(set) var keys: [String] = []
  /// The number; `nil` for the value itself.
  package let value: GraphExpression?
  /// The time after which a series without a value ends.
  package let idle: Duration?
  /// The place of its name, for messages.
  package let extent: Extent

  package init(
    name: String, kind: Kind, help: String, unit: String?, labels: [Label]?, value: GraphExpression?, idle: Duration?,
    extent: Extent
  ) {
    self.name = name
    self.kind = kind
    self.help = help
    self.unit = unit
    self.labels = labels ?? []
    hasGivenLabels = labels != nil
    self.value = value
    self.idle = idle
    self.extent = extent
  }

  /// The names of the labels: those of keys, and those of the file in its order.
  package var labelNames: [String] { keys + labels.map(\.name) }

  /// Gives a series to each key of `group_by` in a pipe whose values the signal emits, if the file gives no labels.
  package mutating func addKeys(of pipe: [any PreparedOperator]) {
    if !hasGivenLabels { keys = KeyLabels.names(of: pipe) }
  }

  /// Returns true if values of a pipe within so many keys are told apart by all of them.
  package func admits(keys count: Int) -> Bool { hasGivenLabels || count <= keys.count }

  /// Returns true for a declaration with equal effect, so that its series remain.
  package func isSame(as other: MetricDeclaration) -> Bool {
    kind == other.kind && idle == other.idle && labelNames == other.labelNames && texts == other.texts
  }

  /// The other texts that determine its effect.
  private var texts: [ExactText?] {
    ([name, help, unit, value?.source] + labels.map(\.value.source)).map { $0.map(ExactText.init) }
  }

  /// Returns the name made of the name of a signal, such as `home_in_door` of `home.in-door`.
  package static func name(ofSignal name: String, unit: String?) -> String {
    let plain = name.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" }
    let text = String(plain)
    let valid = text.first?.isNumber == true ? "_" + text : text
    guard let unit, !valid.hasSuffix("_\(unit)") else { return valid }
    return "\(valid)_\(unit)"
  }

  /// Returns the word of OpenMetrics for a unit of measurement; `nil` if there is none.
  package static func unit(of text: String) -> String? {
    if let word = units[text] { return word }
    let word = text.lowercased()
    return isLabel(word) ? word : nil
  }

  private static let units: [String: String] = [
    "°C": "celsius", "°F": "fahrenheit", "K": "kelvin", "%": "percent", "s": "seconds", "ms": "milliseconds",
    "min": "minutes", "h": "hours", "d": "days", "W": "watts", "kW": "kilowatts", "Wh": "watt_hours",
    "kWh": "kilowatt_hours", "J": "joules", "V": "volts", "mV": "millivolts", "A": "amperes", "mA": "milliamperes",
    "Hz": "hertz", "B": "bytes", "Pa": "pascals", "hPa": "hectopascals", "bar": "bars", "lx": "lux", "m": "meters",
    "mm": "millimeters", "cm": "centimeters", "km": "kilometers", "m²": "square_meters", "m³": "cubic_meters",
    "l": "liters", "L": "liters", "g": "grams", "kg": "kilograms", "m/s": "meters_per_second",
    "km/h": "kilometers_per_hour", "ppm": "ppm", "dB": "decibels", "°": "degrees",
  ]

  /// Returns true for a valid name of a label or a metric: letters, digits and `_`, no digit first.
  package static func isLabel(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= 200 && text.first?.isNumber == false
      && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
  }
}
