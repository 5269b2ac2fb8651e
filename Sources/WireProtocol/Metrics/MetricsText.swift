package import JSON

/// Metrics in a text format: each family with its head, then its samples.
package struct MetricsText {
  package enum Format: Sendable {
    /// The Prometheus text format, version 0.0.4.
    case prometheus
    /// OpenMetrics 1.0.
    case openMetrics
  }

  private let format: Format
  private var lines = ""

  package init(_ format: Format) { self.format = format }

  /// The text so far.
  package var text: String { lines + (format == .openMetrics ? "# EOF\n" : "") }

  package mutating func begin(_ metric: Metric) {
    let name = "signalbox_" + (format == .prometheus ? metric.sampleName : metric.name)
    // Only OpenMetrics has a type of its own for information in labels with the value 1.
    let kind: Metric.Kind = format == .prometheus && metric.kind == .info ? .gauge : metric.kind
    lines += "# HELP \(name) \(metric.help)\n# TYPE \(name) \(kind.rawValue)\n"
    if format == .openMetrics, let unit = metric.unit { lines += "# UNIT \(name) \(unit)\n" }
  }

  /// Adds the family of a signal's metric.
  mutating func add(_ family: DeclaredFamily) {
    let sample = family.kind == "counter" ? family.name + "_total" : family.name
    let name = format == .prometheus ? sample : family.name
    lines +=
      "# HELP \(name) \(Self.escaped(family.help, quotes: format == .openMetrics))\n# TYPE \(name) \(family.kind)\n"
    if format == .openMetrics, let unit = family.unit { lines += "# UNIT \(name) \(unit)\n" }
    for (labels, number) in family.series {
      let list = zip(family.labels, labels).map { "\($0)=\"\(Self.escaped($1, quotes: true))\"" }
      lines += "\(sample)\(list.isEmpty ? "" : "{\(list.joined(separator: ","))}") \(number)\n"
    }
  }

  private static func escaped(_ text: String, quotes: Bool) -> String {
    var escaped = ""
    for character in text.unicodeScalars {
      switch character {
      case "\\": escaped += "\\\\"
      case "\n": escaped += "\\n"
      case "\"" where quotes: escaped += "\\\""
      default: escaped.unicodeScalars.append(character)
      }
    }
    return escaped
  }

  /// Adds a sample, if it has a value, to the family that was begun last.
  package mutating func add(
    _ metric: Metric, suffix: String = "", _ value: JSONValue?, _ labels: KeyValuePairs<String, String> = [:]
  ) {
    guard let value else { return }
    let list = labels.map { "\($0.key)=\"\($0.value)\"" }.joined(separator: ",")
    lines += "signalbox_\(metric.sampleName)\(suffix)\(list.isEmpty ? "" : "{\(list)}") \(value.description)\n"
  }
}
