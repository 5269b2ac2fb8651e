package import JSON

/// Metrics as text: each family with its head, then its values.
package struct MetricsText {
  package enum Format: Sendable {
    /// Prometheus's own, version 0.0.4.
    case prometheus
    /// OpenMetrics 1.0.
    case openMetrics
  }

  private let format: Format
  private var lines = ""

  package init(_ format: Format) { self.format = format }

  /// Everything so far.
  package var text: String { lines + (format == .openMetrics ? "# EOF\n" : "") }

  package mutating func begin(_ metric: Metric) {
    let name = "signalbox_" + (format == .prometheus ? metric.sampleName : metric.name)
    // A value that is always 1 and says something by its labels is a kind of its own to OpenMetrics alone.
    let kind: Metric.Kind = format == .prometheus && metric.kind == .info ? .gauge : metric.kind
    lines += "# HELP \(name) \(metric.help)\n# TYPE \(name) \(kind.rawValue)\n"
    if format == .openMetrics, let unit = metric.unit { lines += "# UNIT \(name) \(unit)\n" }
  }

  /// Adds a value of the family that was begun last, if there is one.
  package mutating func add(
    _ metric: Metric, suffix: String = "", _ value: JSONValue?, _ labels: KeyValuePairs<String, String> = [:]
  ) {
    guard let value else { return }
    let list = labels.map { "\($0.key)=\"\($0.value)\"" }.joined(separator: ",")
    lines += "signalbox_\(metric.sampleName)\(suffix)\(list.isEmpty ? "" : "{\(list)}") \(value.description)\n"
  }
}
